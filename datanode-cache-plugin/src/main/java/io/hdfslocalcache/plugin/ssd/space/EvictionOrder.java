/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.space;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import io.hdfslocalcache.plugin.ssd.file.PrivateFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that carries the order of eviction over a restart: the names of the blocks, one in a
 * line, the one that was used last first. Only a hint: whatever it says, the pages are looked at.
 */
public final class EvictionOrder {

  private static final Logger LOG = LoggerFactory.getLogger(EvictionOrder.class);
  private static final String NAME = "order";

  private EvictionOrder() {
  }

  /** Writes the file, or logs why not. @param newestFirst names of blocks, the one that was used last first */
  public static void write(Path root, Collection<String> newestFirst) {
    try {
      PrivateFiles.replace(root.resolve(NAME), false, out -> {
        for (String fileId : newestFirst) {
          out.write((fileId + '\n').getBytes(StandardCharsets.UTF_8));
        }
      });
    } catch (IOException e) {
      LOG.warn("Local cache: the order of eviction in {} is not kept for the next start", root, e);
    }
  }

  /**
   * Reads the file and removes it: after a crash, it would be of the time before.
   *
   * @return the blocks, the one that was used last first; empty if there is no file
   */
  public static List<String> take(Path root) {
    Path file = root.resolve(NAME);
    List<String> newestFirst = new ArrayList<>();
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      try (BufferedReader in = Files.newBufferedReader(file)) {
        in.lines().forEach(newestFirst::add);
      } catch (IOException | RuntimeException e) {
        LOG.warn("Local cache: {} cannot be read; pages go by their age", file, e);
      }
    }
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("Local cache: {} cannot be removed", file, e);
    }
    return newestFirst;
  }
}
