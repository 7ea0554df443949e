/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.After;

/** A cluster that each test configures and starts, closed after the test. */
public abstract class ClusterFixture {

  LocalCacheCluster cluster;

  @After
  public void closeCluster() {
    if (cluster != null) {
      cluster.close();
    }
  }
}
