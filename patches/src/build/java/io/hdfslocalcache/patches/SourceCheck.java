/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import io.hdfslocalcache.patches.DropInJar.ReleasedClasses;

/**
 * Holds sources against the jar they are said to be those of. A patched class of another version
 * would break the others in the jar, at run time.
 */
final class SourceCheck {

  /** Compilers number classes without a name each in its own way. */
  private static final String NUMBERED = ".*\\$\\d.*";

  private SourceCheck() {
  }

  /**
   * Compiles sources as they are, and compares what comes out with the jar's classes.
   *
   * @param paths of the sources that matter; those that the release does not have are left out
   * @param work a directory for it, which is emptied first
   * @throws PatchException if a source is not the one that the jar's class was compiled from
   */
  static void check(CustomRelease release, Set<String> paths, Javac javac, Path work)
      throws IOException {
    Path root = work.resolve("released-sources");
    Path classes = work.resolve("released-classes");
    Directories.recreate(root);
    Directories.recreate(classes);
    Set<String> found = unpack(release.sources(), paths, root);
    try {
      javac.compile(root, found, classes);
    } catch (PatchException e) {
      throw new PatchException(release.sources().toString(), "does not compile with "
          + release.jar() + ", as of another version or for want of --classpath: "
          + e.getMessage());
    }
    for (String name : classNames(classes)) {
      compare(release, name, classes);
    }
  }

  private static Set<String> unpack(Path sources, Set<String> paths, Path root)
      throws IOException {
    Set<String> found = new TreeSet<>();
    try (ZipFile zip = new ZipFile(sources.toFile())) {
      for (String path : paths) {
        ZipEntry entry = zip.getEntry(path);
        if (entry != null && path.endsWith(".java")) {
          Files.createDirectories(root.resolve(path).getParent());
          try (InputStream in = zip.getInputStream(entry)) {
            Files.copy(in, root.resolve(path));
          }
          found.add(path);
        }
      }
    }
    return found;
  }

  private static List<String> classNames(Path classes) throws IOException {
    try (Stream<Path> all = Files.walk(classes)) {
      return all.map(file -> classes.relativize(file).toString())
          .filter(name -> name.endsWith(".class") && !name.matches(NUMBERED))
          .map(name -> name.substring(0, name.length() - ".class".length()))
          .sorted()
          .toList();
    }
  }

  private static void compare(CustomRelease release, String name, Path classes)
      throws IOException {
    String source = ReleasedClasses.sourceOf(name + ".class");
    String other = source + " is not what " + release.jar() + " was compiled from: ";
    try (ZipFile jar = new ZipFile(release.jar().toFile())) {
      if (jar.getEntry(name + ".class") == null) {
        throw new PatchException(release.sources().toString(),
            other + "there is no class " + name);
      }
    }
    String className = name.replace('/', '.');
    Map<String, Integer> there = MethodLines.of(release.jar().toString(), className);
    for (Map.Entry<String, Integer> here
        : MethodLines.of(classes.toString(), className).entrySet()) {
      Integer line = there.get(here.getKey());
      if (!here.getValue().equals(line)) {
        throw new PatchException(release.sources().toString(), other + here.getKey()
            + " begins in line " + here.getValue() + ", there " + (line == null ? "is none"
            : "in " + line));
      }
    }
  }

  /**
   * Where the methods of a class begin, by the line numbers that its compiler wrote down. Compilers
   * agree on that, if not on all that follows, and another version of the source has other lines.
   */
  static final class MethodLines {

    private static final Pattern METHOD =
        Pattern.compile("  (\\S.*\\)|static \\{\\})( throws .*)?;");
    private static final Pattern LINE = Pattern.compile(" +line (\\d+): \\d+");
    /** What a compiler makes up, each in its own way. */
    private static final Pattern SYNTHETIC =
        Pattern.compile("(lambda|access|deserializeLambda)\\$|\\$(values|\\d)");

    private MethodLines() {
    }

    /**
     * Returns the first line by the method's signature, for every method with code.
     *
     * @throws PatchException if the class is not on the class path
     */
    static Map<String, Integer> of(String classPath, String className) throws PatchException {
      ToolProvider javap = ToolProvider.findFirst("javap").orElseThrow(() -> new PatchException(
          System.getProperty("java.home"), "is no JDK: there is no javap"));
      StringWriter text = new StringWriter();
      PrintWriter out = new PrintWriter(text);
      if (javap.run(out, out, "-p", "-l", "-cp", classPath, className) != 0) {
        throw new PatchException(className, text.toString().strip());
      }
      Map<String, Integer> lines = new TreeMap<>();
      String method = "";
      for (String row : text.toString().lines().toList()) {
        Matcher header = METHOD.matcher(row);
        Matcher line = LINE.matcher(row);
        if (header.matches()) {
          method = header.group(1);
        } else if (line.matches() && !SYNTHETIC.matcher(method).find()) {
          lines.merge(method, Integer.parseInt(line.group(1)), Math::min);
        }
      }
      return lines;
    }
  }
}
