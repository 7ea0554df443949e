/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.testing;

import java.io.IOException;
import java.nio.file.Path;

import io.hdfslocalcache.harness.Daemon;
import io.hdfslocalcache.harness.HadoopJvm;
import io.hdfslocalcache.harness.HdfsDaemons;
import io.hdfslocalcache.harness.SiteFile;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/** A DataNode in a process of its own, to be ended by signals. */
public final class DataNodeProcess {

  private DataNodeProcess() {
  }

  /**
   * Starts one.
   *
   * @param directory has its configuration, its log and its replicas, from start to start
   * @param conf names the NameNode, and has all the rest but the DataNode's own addresses
   */
  public static Daemon start(Path directory, Configuration conf) throws IOException {
    Path settings = directory.resolve("conf");
    Configuration own = new Configuration(conf);
    own.set(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, directory.resolve("data").toString());
    SiteFile.ANY_PORTS.forEach(own::set);
    SiteFile.writeAll(settings, own);
    SiteFile.logToConsole(settings);
    return HdfsDaemons.dataNode(
        HadoopJvm.likeThis("-Xmx256m"), settings, directory.resolve("log"));
  }
}
