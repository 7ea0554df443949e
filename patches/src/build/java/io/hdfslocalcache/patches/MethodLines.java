/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;

/**
 * Where the methods of a class begin, by the line numbers that its compiler wrote down. Compilers
 * agree on that, if not on all that follows, and another version of the source has other lines.
 */
final class MethodLines {

  private static final Pattern METHOD = Pattern.compile("  (\\S.*\\)|static \\{\\})( throws .*)?;");
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
    ToolProvider javap = ToolProvider.findFirst("javap").orElseThrow(
        () -> new PatchException(System.getProperty("java.home"), "is no JDK: there is no javap"));
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
