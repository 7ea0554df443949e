/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package org.apache.hadoop.hdfs;

import org.apache.hadoop.conf.Configuration;

/** Opens parts of Hadoop's mini cluster to tests of other packages. */
public final class MiniDFSClusterAccess {

  private MiniDFSClusterAccess() {
  }

  /** @return the configuration with which a stopped DataNode will be started again. */
  public static Configuration conf(MiniDFSCluster.DataNodeProperties stopped) {
    return stopped.conf;
  }
}
