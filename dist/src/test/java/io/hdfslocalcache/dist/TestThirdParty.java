/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

import org.junit.Test;

/** THIRD-PARTY names every third-party library in the archive, and no other. */
public final class TestThirdParty {

  private static final Path ARCHIVE = Path.of(System.getProperty("distribution"));
  private static final Path ROOT = Path.of(System.getProperty("root"));
  private static final Pattern LINE = Pattern.compile("(?m)^(\\S+) +(\\d\\S*) +\\S+ .*$");
  private static final Pattern SCRIPT = Pattern.compile("\\* (\\S+) v(\\d\\S*)");
  private static final int SCRIPT_HEAD = 256;
  private static final String OURS = "io/hdfslocalcache/";
  private static final String SHADED = OURS + "shaded/";
  private static final String ALLUXIO = "datanode-cache-plugin/alluxio-shaded";

  @Test
  public void list_isWhatIsPacked() throws IOException {
    Set<String> packed = new TreeSet<>();
    for (Path jar : jars()) {
      if (isOurs(jar)) {
        packed.addAll(shadedIn(jar));
        packed.addAll(scriptsIn(jar));
      } else {
        packed.add(jar.getFileName().toString());
      }
    }
    assertEquals(packed, listed());
  }

  private static Set<String> listed() throws IOException {
    return LINE.matcher(Files.readString(ARCHIVE.resolve("THIRD-PARTY"))).results()
        .map(line -> line.group(1) + "-" + line.group(2) + ".jar")
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<Path> jars() throws IOException {
    try (Stream<Path> files = Files.walk(ARCHIVE)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }

  private static boolean isOurs(Path jar) throws IOException {
    String name = jar.getFileName().toString();
    String version = Files.readString(ARCHIVE.resolve("VERSION")).strip();
    return name.endsWith("-" + version + ".jar") || name.equals("install-tools.jar");
  }

  /** @return the scripts of a jar, as each names itself in its first lines. */
  private static Set<String> scriptsIn(Path jar) throws IOException {
    Set<String> found = new TreeSet<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      for (ZipEntry script : Collections.list(file.entries()).stream()
          .filter(entry -> entry.getName().endsWith(".js")).toList()) {
        String text = new String(
            file.getInputStream(script).readNBytes(SCRIPT_HEAD), StandardCharsets.UTF_8);
        Matcher name = SCRIPT.matcher(text);
        found.add(name.find() ? name.group(1).toLowerCase(Locale.ROOT) + "-" + name.group(2) + ".jar"
            : jar + ": " + script.getName());
      }
    }
    return found;
  }

  /** @return the jars that the classes of a jar were taken from, and classes of unknown origin. */
  private static Set<String> shadedIn(Path jar) throws IOException {
    Map<String, String> origins = origins(jar.getParent().endsWith("lib-java8"));
    Set<String> found = new TreeSet<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      for (String name : classes(file)) {
        if (name.startsWith(SHADED)) {
          found.add(origins.getOrDefault(name.substring(SHADED.length()), jar + ": " + name));
        } else if (!name.startsWith(OURS)) {
          found.add(jar + ": " + name);
        }
      }
    }
    found.remove(OURS);
    return found;
  }

  /** @return by the name of a class before it was renamed, the jar that has it, or OURS. */
  private static Map<String, String> origins(boolean java8) throws IOException {
    Map<String, String> origins = new HashMap<>();
    // Classes that Alluxio refers to but does not need are replaced by our own.
    Path replaced = ROOT.resolve(ALLUXIO).resolve("target/classes");
    try (Stream<Path> files = Files.walk(replaced)) {
      files.filter(Files::isRegularFile)
          .forEach(file -> origins.put(replaced.relativize(file).toString(), OURS));
    }
    if (java8) {
      addClassPath(origins, "dist/java8");
    }
    addClassPath(origins, ALLUXIO);
    addClassPath(origins, "admin-cli");
    return origins;
  }

  private static void addClassPath(Map<String, String> origins, String module)
      throws IOException {
    String classPath =
        Files.readString(ROOT.resolve(module).resolve("target/shaded.classpath")).strip();
    for (String jar : classPath.split(File.pathSeparator)) {
      try (JarFile file = new JarFile(jar)) {
        classes(file)
            .forEach(name -> origins.putIfAbsent(name, Path.of(jar).getFileName().toString()));
      }
    }
  }

  private static List<String> classes(JarFile jar) {
    return jar.stream().map(ZipEntry::getName).filter(name -> name.endsWith(".class")).toList();
  }
}
