/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.BeforeClass;

/** Reads of files with the policy {@code RS-6-3-1024k}. */
public class TestRS63Reads extends ErasureCodedReads {

  @BeforeClass
  public static void start() throws Exception {
    start("RS-6-3-1024k", LocalCacheCluster.builder().dataNodes(9));
  }
}
