/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.hadooptests;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.Test;

/**
 * Run by the build after Hadoop's classes of the quick set: were their reads served by the local
 * cache? Not named Test, because it has nothing to check before.
 */
public class CheckQuickSet {

  @Test
  public void quickSet_eachClass_isServedByTheLocalCache() throws IOException {
    List<Path> files = results();
    assertFalse("no results in " + System.getProperty("quick.results"), files.isEmpty());
    for (Path file : files) {
      Results results = Results.read(file);
      assertTrue(file + ": not run to its end", results.isComplete());
      assertTrue(file + ": no read was served by the local cache: " + results.counts(),
          results.count("ReadsHit") + results.count("ReadsPartialHit") > 0);
    }
  }

  private static List<Path> results() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("quick.results")))) {
      return files.filter(file -> file.getFileName().toString().startsWith("org.apache.")).toList();
    }
  }
}
