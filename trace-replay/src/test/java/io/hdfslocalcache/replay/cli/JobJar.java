/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import io.hdfslocalcache.harness.HadoopJvm;
import io.hdfslocalcache.harness.Run;

/**
 * The benchmarks as {@code hadoop jar} runs them: a jar with all that Hadoop does not bring along, as
 * the build makes it, and a process of Hadoop's RunJar that sees only Hadoop's jars.
 */
final class JobJar {

  private static final Pattern LIBRARIES =
      Pattern.compile("<includeArtifactIds>([^<]+)</includeArtifactIds>");
  /** What is on the class path for tests only. */
  private static final Pattern TESTS =
      Pattern.compile("(junit|mockito|hamcrest|byte-buddy|opentest4j|apiguardian).*|.*-tests\\.jar");

  private final List<Path> classes = new ArrayList<>();
  private final List<Path> libraries = new ArrayList<>();
  private final List<Path> hadoop = new ArrayList<>();

  /** Sorts the class path of this process, by the list in the module's {@code pom.xml}. */
  JobJar() throws IOException {
    Matcher list = LIBRARIES.matcher(Files.readString(Path.of("pom.xml")));
    if (!list.find()) {
      throw new IOException("no list of libraries in pom.xml");
    }
    List<String> ours = List.of(list.group(1).split(","));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path path = Path.of(entry);
      String name = path.getFileName().toString();
      if (Files.isDirectory(path)) {
        addDirectory(path, ours);
      } else if (Files.exists(path) && !TESTS.matcher(name).matches()) {
        boolean isOurs = ours.stream().anyMatch(our -> name.matches(our + "-\\d.*"));
        // It has to work without modules that are not on the list, too.
        if (isOurs) {
          libraries.add(path);
        } else if (!name.startsWith("trace-replay-")) {
          hadoop.add(path);
        }
      }
    }
  }

  /** Modules that this build has compiled, and not yet packed. */
  private void addDirectory(Path path, List<String> ours) {
    String name = path.toAbsolutePath().toString();
    if (Files.exists(path.resolve("io/hdfslocalcache/replay/cli/TraceReplay.class"))) {
      classes.add(path);
    } else if (!name.contains("test") && ours.stream().anyMatch(
        our -> Arrays.asList(name.split("/")).contains(our))) {
      libraries.add(path);
    }
  }

  /** Makes the jar. */
  void write(Path jar) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      put(zip, "META-INF/MANIFEST.MF",
          ("Manifest-Version: 1.0\nMain-Class: " + TraceReplay.class.getName() + "\n").getBytes());
      for (Path directory : classes) {
        putAll(zip, directory);
      }
      for (int i = 0; i < libraries.size(); i++) {
        Path library = libraries.get(i);
        zip.putNextEntry(new ZipEntry("lib/" + i + ".jar"));
        if (Files.isDirectory(library)) {
          writeJar(library, zip);
        } else {
          Files.copy(library, zip);
        }
        zip.closeEntry();
      }
    }
  }

  private static void writeJar(Path directory, OutputStream out) throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out);
    putAll(zip, directory);
    zip.finish();
  }

  private static void putAll(ZipOutputStream zip, Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        put(zip, directory.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
  }

  private static void put(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(bytes);
    zip.closeEntry();
  }

  /** Runs a process as {@code hadoop jar} does, with these arguments. */
  Run run(Path jar, Path temporary, Object... words) throws IOException {
    List<String> command = new ArrayList<>(List.of(HadoopJvm.program(), "-Xmx512m",
        "-Djava.net.preferIPv4Stack=true", "-Dhadoop.tmp.dir=" + temporary,
        "-Djava.io.tmpdir=" + temporary));
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("--add-opens")).forEach(command::add);
    command.addAll(List.of("org.apache.hadoop.util.RunJar", jar.toString()));
    Arrays.stream(words).map(Object::toString).forEach(command::add);
    return Run.of(Map.of("CLASSPATH", String.join(File.pathSeparator,
        hadoop.stream().map(Path::toString).toList())), command);
  }
}
