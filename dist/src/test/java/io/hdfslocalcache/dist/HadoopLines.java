/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The patched Hadoop releases, and where the build puts what it makes of each. */
final class HadoopLines {

  private static final Path PATCHES = Path.of(System.getProperty("root"), "patches");

  private HadoopLines() {
  }

  /** The releases, the one that everything is compiled against first. */
  static List<String> versions() {
    return Stream.of("hadoop.version", "hadoop.line.3.4", "hadoop.line.3.3")
        .map(System::getProperty).toList();
  }

  /** Returns the {@code target} of the module that makes the release's jar. */
  static Path target(String version) {
    boolean first = version.equals(System.getProperty("hadoop.version"));
    String module = first ? "." : "line-" + version.substring(0, version.lastIndexOf('.'));
    return PATCHES.resolve(module).resolve("target");
  }
}
