/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.space;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.ssd.file.Existing;
import io.hdfslocalcache.plugin.ssd.file.PrivateFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that saves the order of eviction for a restart: the names of the blocks, one per line,
 * the most recently used first. A block's name is followed by the numbers of its pages in memory.
 * Only a hint: the pages are checked anyhow.
 */
public final class EvictionOrder {

  private static final Logger LOG = LoggerFactory.getLogger(EvictionOrder.class);
  private static final String NAME = "order";

  private EvictionOrder() {
  }

  /**
   * Writes the file, or logs the error.
   *
   * @param newestFirst names of blocks, the most recently used first
   * @param inMemory the numbers of pages in memory, by block name
   */
  public static void write(Path root, Collection<String> newestFirst,
      Map<String, List<Integer>> inMemory) {
    try {
      PrivateFiles.replace(root.resolve(NAME), out -> {
        for (String fileId : newestFirst) {
          StringBuilder line = new StringBuilder(fileId);
          inMemory.getOrDefault(fileId, List.of()).forEach(page -> line.append(' ').append(page));
          out.write(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
        }
      });
    } catch (IOException e) {
      LOG.warn("Local cache: could not save the eviction order in {}", root, e);
    }
  }

  /**
   * Reads the file and deletes it: after a crash, it would be out of date.
   *
   * @return the pages that were in memory by block, the most recently used block first; empty if
   *     there is no file
   */
  public static Map<String, List<Integer>> take(Path root) {
    Path file = root.resolve(NAME);
    Map<String, List<Integer>> newestFirst = new LinkedHashMap<>();
    try {
      if (Existing.isFile(file)) {
        try (BufferedReader in = Files.newBufferedReader(file)) {
          in.lines().map(line -> line.split(" ")).forEach(words -> newestFirst.put(words[0],
              Stream.of(words).skip(1).map(Integer::valueOf).toList()));
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Local cache: cannot read {}; evicting pages by age", file, e);
    }
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("Local cache: could not delete {}", file, e);
    }
    return newestFirst;
  }
}
