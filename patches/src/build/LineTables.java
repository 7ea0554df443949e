/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * Tells whether classes were compiled from the same sources as those in a jar: by the first line of
 * each method in the class files. Compilers agree on that, if not on everything else, and another
 * version of a source has other lines. {@code build-for} runs it.
 */
final class LineTables {

  /** Compilers number anonymous classes differently. */
  private static final Pattern NUMBERED = Pattern.compile("\\$\\d");
  private static final Pattern METHOD =
      Pattern.compile("  (\\S.*\\)|static \\{\\})( throws .*)?;");
  private static final Pattern LINE = Pattern.compile(" +line (\\d+): \\d+");
  /** Synthetic members, which differ between compilers. */
  private static final Pattern SYNTHETIC =
      Pattern.compile("(lambda|access|deserializeLambda)\\$|\\$(values|\\d)");
  private static final ToolProvider JAVAP = ToolProvider.findFirst("javap").orElseThrow();

  private LineTables() {
  }

  /**
   * Prints the first difference, and exits with 1 if there is one.
   *
   * @param args a directory of class files, and the jar or a directory with its contents
   */
  public static void main(String[] args) throws IOException {
    Path classes = Path.of(args[0]);
    List<Path> files;
    try (Stream<Path> all = Files.walk(classes)) {
      files = all.filter(file -> file.toString().endsWith(".class")
          && !NUMBERED.matcher(file.getFileName().toString()).find()).sorted().toList();
    }
    for (Path file : files) {
      String name = classes.relativize(file).toString().replaceFirst("\\.class$", "")
          .replace('/', '.');
      Map<String, Integer> there = methods(args[1], name);
      for (Map.Entry<String, Integer> here : methods(args[0], name).entrySet()) {
        if (!here.getValue().equals(there.get(here.getKey()))) {
          System.out.println(name + ": " + here.getKey() + " begins in line " + here.getValue()
              + ", there in " + there.getOrDefault(here.getKey(), 0));
          System.exit(1);
        }
      }
    }
  }

  /** Returns the first line by signature of all methods with code; none if there is no class. */
  private static Map<String, Integer> methods(String classPath, String className) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    JAVAP.run(out, out, "-p", "-l", "-cp", classPath, className);
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
