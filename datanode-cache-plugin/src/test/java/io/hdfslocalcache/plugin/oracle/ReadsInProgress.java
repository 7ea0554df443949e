/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.oracle;

import static org.junit.Assert.assertArrayEquals;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.RawReader;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/** Reads of a file's first block on several clusters, which have begun before something changes. */
final class ReadsInProgress implements Closeable {

  private final List<RawReader> readers = new ArrayList<>();
  private final byte[] expected;

  /** Begins. @param file what the file contains now */
  ReadsInProgress(List<LocalCacheCluster> clusters, String name, byte[] file) throws IOException {
    int length = (int) clusters.get(0).block(name).getNumBytes();
    expected = Arrays.copyOf(file, length);
    for (LocalCacheCluster cluster : clusters) {
      ExtendedBlock block = cluster.block(name);
      readers.add(new RawReader(cluster.dataNode(0), block, "oracle", 0, length));
    }
  }

  /** Reads to the end, and compares. */
  void end() throws IOException {
    for (RawReader reader : readers) {
      assertArrayEquals("what an older reader sees", expected, reader.readToEnd().bytes());
    }
  }

  @Override
  public void close() throws IOException {
    for (RawReader reader : readers) {
      reader.close();
    }
  }
}
