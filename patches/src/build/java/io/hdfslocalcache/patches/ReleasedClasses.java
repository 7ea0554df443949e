/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Lays out the content of the released jar for the compiler and the jar plugin to complete. Left
 * out are the classes of patched sources with all their inner classes: an inner class that the
 * patched source does not have any more must not survive.
 */
final class ReleasedClasses {

  private ReleasedClasses() {
  }

  /**
   * @param classes is emptied first
   * @param touched paths of the patched sources
   */
  static void unpack(Path jar, Path classes, Set<String> touched) throws IOException {
    Directories.recreate(classes);
    try (ZipFile released = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : Collections.list(released.entries())) {
        if (!entry.isDirectory() && !touched.contains(sourceOf(entry.getName()))) {
          Path file = classes.resolve(entry.getName());
          Files.createDirectories(file.getParent());
          try (InputStream in = released.getInputStream(entry)) {
            Files.copy(in, file);
          }
        }
      }
    }
  }

  /** Returns the source that a class file comes from by Java's rule; other names unchanged. */
  static String sourceOf(String name) {
    return name.replaceFirst("(\\$[^/]*)?\\.class$", ".java");
  }
}
