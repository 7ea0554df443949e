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
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
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
  private final String datanodeUuid;
  private DistributedFileSystem fs;

  private NameNodeBlocks(URI nameNode, Configuration conf, String datanodeUuid) {
    this.nameNode = nameNode;
    this.conf = conf;
    this.datanodeUuid = datanodeUuid;
  }

  /** @return a lister for each name service of the DataNode. */
  static List<BlockLister> of(Configuration conf, String datanodeUuid) {
    Configuration impatient = impatient(conf);
    // As the DataNode does: the default counts only if no NameNode is configured. It may be a router.
    Configuration withoutDefault = new Configuration(conf);
    FileSystem.setDefaultUri(withoutDefault, "file:///");
    Collection<URI> nameNodes = DFSUtil.getInternalNsRpcUris(withoutDefault);
    List<BlockLister> all = new ArrayList<>();
    for (URI nameNode : nameNodes.isEmpty() ? DFSUtil.getInternalNsRpcUris(conf) : nameNodes) {
      askActive(impatient, nameNode);
      all.add(new NameNodeBlocks(nameNode, impatient, datanodeUuid));
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

  /** An observer that has just started does not know all replicas, and is not in safe mode. */
  static void askActive(Configuration conf, URI nameNode) {
    String key = HdfsClientConfigKeys.Failover.PROXY_PROVIDER_KEY_PREFIX + '.' + nameNode.getHost();
    Class<?> provider = conf.getClassByNameOrNull(conf.getTrimmed(key, ""));
    // One that is missing fails later, for this name service only.
    if (provider != null && ObserverReadProxyProvider.class.isAssignableFrom(provider)) {
      conf.set(key, ConfiguredFailoverProxyProvider.class.getName());
    }
  }

  @Override
  public String namespace() {
    return nameNode.toString();
  }

  /** A starting NameNode lists blocks whose replicas are not reported yet without a location. */
  @Override
  public boolean isInSafeMode() throws IOException {
    return SecurityUtil.doAsLoginUser(() -> fs().isInSafeMode());
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
    for (LocatedBlock block : located.getLocatedBlocks().getLocatedBlocks()) {
      for (int i = 0; i < block.getLocations().length; i++) {
        if (block.getLocations()[i].getDatanodeUuid().equals(datanodeUuid)
            && !tell(block, i, policy, found)) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * A DataNode's replica of an erasure-coded block has the group's id and its place in it. Parity is
   * only read while data is missing, and replicas on SSDs of HDFS are not cached: they take no space.
   */
  private static boolean tell(LocatedBlock block, int location, ErasureCodingPolicy policy,
      Found found) {
    int place = block instanceof LocatedStripedBlock striped
        ? striped.getBlockIndices()[location] : 0;
    long bytes = !DatasetReplicaAccess.isRelieved(block.getStorageTypes()[location]) ? 0
        : policy == null ? block.getBlockSize() : place >= policy.getNumDataUnits() ? 0
        : StripedBlockUtil.getInternalBlockLength(block.getBlockSize(), policy, place);
    return found.block(block.getBlock().getBlockPoolId(),
        block.getBlock().getBlockId() + place, bytes);
  }

  @Override
  public void close() throws IOException {
    if (fs != null) {
      fs.close();
    }
  }
}
