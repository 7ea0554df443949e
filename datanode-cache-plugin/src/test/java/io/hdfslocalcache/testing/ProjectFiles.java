/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.testing;

import java.nio.file.Files;
import java.nio.file.Path;

/** Files of the project that are not on the class path. */
public final class ProjectFiles {

  private ProjectFiles() {
  }

  /** @return a file or directory by its path below the project's root. */
  public static Path of(String path) {
    for (Path dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
      if (Files.exists(dir.resolve("conf/local-cache-default.xml"))) {
        return dir.resolve(path);
      }
    }
    throw new AssertionError("no conf/local-cache-default.xml above the working directory");
  }
}
