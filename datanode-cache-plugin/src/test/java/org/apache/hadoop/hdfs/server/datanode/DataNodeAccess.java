/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package org.apache.hadoop.hdfs.server.datanode;

import java.io.IOException;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/** Opens parts of the DataNode to tests of other packages. */
public final class DataNodeAccess {

  private DataNodeAccess() {
  }

  /** Has the block scanner read a block now. */
  public static void scanSoon(DataNode dataNode, ExtendedBlock block) {
    dataNode.getBlockScanner().markSuspectBlock(
        dataNode.getFSDataset().getVolume(block).getStorageID(), block);
  }

  /** Has the DataNode serve the name services of a configuration, and no others. */
  public static void refreshNamenodes(DataNode dataNode, Configuration conf) throws IOException {
    dataNode.refreshNamenodes(conf);
  }
}
