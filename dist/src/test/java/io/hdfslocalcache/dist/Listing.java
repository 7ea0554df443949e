/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Lists a directory and all that is in it, so that two states can be compared. */
final class Listing {

  private Listing() {
  }

  /**
   * Returns type, mode, owner, group, size, time and content of everything below, by path; of
   * directories without the time.
   */
  static Map<String, String> of(Path root) throws IOException {
    Map<String, String> lines = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.toList()) {
        Map<String, Object> all =
            Files.readAttributes(path, "unix:*", LinkOption.NOFOLLOW_LINKS);
        boolean directory = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
        String line = String.format("%o %s:%s", (Integer) all.get("mode"), all.get("uid"),
            all.get("gid"));
        if (!directory) {
          line += " " + all.get("lastModifiedTime") + " " + Sha256.of(Files.readAllBytes(path));
        }
        lines.put(root.relativize(path).toString(), line);
      }
    }
    return lines;
  }
}
