/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import io.hdfslocalcache.plugin.rules.BlockLister;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.security.SecurityUtil;

/**
 * Lists the blocks of paths as a client of the NameNode, as the DataNode's user (with Kerberos: its
 * login). A call lists a part of one directory: {@code dfs.ls.limit} counts blocks times replicas.
 */
final class NameNodeBlocks implements BlockLister {

  /** Hadoop's default since 3.4. */
  private static final int RPC_MILLIS = 120_000;

  private final URI nameNode;
  private final Configuration conf;
  private final DatasetReplicaAccess replicas;
  private DistributedFileSystem fs;

  private NameNodeBlocks(URI nameNode, Configuration conf, DatasetReplicaAccess replicas) {
    this.nameNode = nameNode;
    this.conf = conf;
    this.replicas = replicas;
  }

  /**
   * @param replicas tells which blocks the DataNode has
   * @return a lister for each name service of the DataNode
   */
  static List<BlockLister> of(Configuration conf, DatasetReplicaAccess replicas) {
    Configuration impatient = impatient(conf);
    // As the DataNode does: the default counts only if no NameNode is configured. It may be a router.
    Configuration withoutDefault = new Configuration(conf);
    FileSystem.setDefaultUri(withoutDefault, "file:///");
    Collection<URI> nameNodes = DFSUtil.getInternalNsRpcUris(withoutDefault);
    List<BlockLister> all = new ArrayList<>();
    for (URI nameNode : nameNodes.isEmpty() ? DFSUtil.getInternalNsRpcUris(conf) : nameNodes) {
      all.add(new NameNodeBlocks(nameNode, impatient, replicas));
    }
    return all;
  }

  /** @return a configuration that gives up soon: the next round retries. */
  static Configuration impatient(Configuration conf) {
    Configuration impatient = new Configuration(conf);
    impatient.setInt(CommonConfigurationKeys.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 1);
    impatient.setInt(
        CommonConfigurationKeys.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 1);
    impatient.setInt(HdfsClientConfigKeys.Failover.MAX_ATTEMPTS_KEY, 4);
    // Without one, as by default before Hadoop 3.4, a stopped NameNode holds up the others.
    if (impatient.getInt(CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_KEY, 0) <= 0) {
      impatient.setInt(CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_KEY, RPC_MILLIS);
    }
    return impatient;
  }

  @Override
  public String namespace() {
    return nameNode.toString();
  }

  private DistributedFileSystem fs() throws IOException {
    if (fs == null) {
      fs = (DistributedFileSystem) FileSystem.newInstance(nameNode, conf);
    }
    return fs;
  }

  @Override
  public void list(List<String> paths, Found found) throws IOException {
    SecurityUtil.doAsLoginUser(() -> {
      for (String pattern : paths) {
        FileStatus[] matches = fs().globStatus(new Path(pattern));
        for (int i = 0; matches != null && i < matches.length; i++) {
          if (!listBelow(matches[i].getPath(), found)) {
            return null;
          }
        }
      }
      return null;
    });
  }

  private boolean listBelow(Path root, Found found) throws IOException {
    try {
      RemoteIterator<LocatedFileStatus> files = new FilesBelow(fs, root);
      while (files.hasNext()) {
        if (!tell(files.next(), found)) {
          return false;
        }
      }
    } catch (FileNotFoundException e) {
      // Deleted meanwhile.
    }
    return true;
  }

  private boolean tell(FileStatus file, Found found) {
    if (!(file instanceof HdfsLocatedFileStatus located) || located.getLocatedBlocks() == null) {
      return true;
    }
    ErasureCodingPolicy policy = located.getLocatedBlocks().getErasureCodingPolicy();
    int data = policy == null ? 1 : policy.getNumDataUnits();
    int all = policy == null ? 1 : data + policy.getNumParityUnits();
    for (LocatedBlock block : located.getLocatedBlocks().getLocatedBlocks()) {
      for (int place = 0; place < all; place++) {
        if (!tell(block.getBlock(), place, place >= data, found)) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Asks the DataNode whether it has a replica. The NameNode need not know: it names no replica of
   * a DataNode that is in maintenance, was dead to it, or has not reported yet.
   *
   * <p>A replica of an erasure-coded block has the group's id and its place in it. Parity is only
   * read while data is missing, and replicas on SSDs of HDFS are not cached: they take no space.
   */
  private boolean tell(ExtendedBlock block, int place, boolean isParity, Found found) {
    long id = block.getBlockId() + place;
    Replica replica = replicas.replica(block.getBlockPoolId(), id);
    return replica == null || found.block(block.getBlockPoolId(), id,
        isParity || !DatasetReplicaAccess.isRelieved(replica) ? 0 : replica.getNumBytes());
  }

  @Override
  public void close() throws IOException {
    if (fs != null) {
      fs.close();
    }
  }
}
