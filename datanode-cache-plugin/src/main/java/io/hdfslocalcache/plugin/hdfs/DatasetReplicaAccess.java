/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** The replicas of a DataNode's dataset. */
public final class DatasetReplicaAccess implements ReplicaAccess {

  private final DataNode datanode;

  DatasetReplicaAccess(DataNode datanode) {
    this.datanode = datanode;
  }

  /** @return the replica as it is now. */
  static ReplicaSnapshot snapshot(String blockPoolId, Replica replica) {
    return new ReplicaSnapshot(new BlockKey(blockPoolId, replica.getBlockId()),
        replica.getGenerationStamp(), replica.getNumBytes());
  }

  /** @return why the replica cannot be cached now; null: it can. */
  static ReadOutcome bypass(Replica replica) {
    if (replica.getState() != ReplicaState.FINALIZED) {
      return ReadOutcome.BYPASS_NOT_FINALIZED;
    }
    return isRelieved(replica) ? null : ReadOutcome.BYPASS_UNSUPPORTED;
  }

  /** @return whether an SSD can relieve the replica's volume. */
  static boolean isRelieved(Replica replica) {
    FsVolumeSpi volume = volume(replica);
    return volume != null && isRelieved(volume.getStorageType());
  }

  /** @return whether an SSD can relieve such volumes: not memory, SSDs of HDFS, or a remote store. */
  public static boolean isRelieved(StorageType type) {
    return type == StorageType.DISK || type == StorageType.ARCHIVE;
  }

  /**
   * @return the replica's volume, or null if its dataset is not Hadoop's own; the interface has no
   *     method for it before Hadoop 3.4
   */
  static FsVolumeSpi volume(Replica replica) {
    return replica instanceof ReplicaInfo info ? info.getVolume() : null;
  }

  @Override
  public boolean isCurrent(ReplicaSnapshot snapshot) {
    Replica replica = replica(snapshot.key());
    return replica != null
        && bypass(replica) == null
        && replica.getGenerationStamp() == snapshot.generationStamp()
        && replica.getNumBytes() == snapshot.length();
  }

  @Override
  public ReplicaSnapshot finalized(BlockKey key) {
    Replica replica = replica(key);
    return replica != null && bypass(replica) == null
        ? snapshot(key.blockPoolId(), replica) : null;
  }

  @Override
  public String uncachedType(BlockKey key) {
    Replica replica = replica(key);
    return replica == null || volume(replica) == null
        || bypass(replica) != ReadOutcome.BYPASS_UNSUPPORTED ? ""
        : volume(replica).getStorageType().name();
  }

  @Override
  public String volumeOf(BlockKey key) {
    Replica replica = replica(key);
    return replica == null || volume(replica) == null ? null : volume(replica).toString();
  }

  @Override
  public void retainVolumes(Set<String> directories) {
    FsDatasetSpi<?> dataset = datanode.getFSDataset();
    Set<String> present = new HashSet<>();
    if (dataset != null) {
      try (FsDatasetSpi.FsVolumeReferences volumes = dataset.getFsVolumeReferences()) {
        volumes.forEach(volume -> present.add(volume.toString()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    directories.retainAll(present);
  }

  @Override
  public ReplicaIdentity identity(ReplicaSnapshot snapshot) throws IOException {
    return identity(localReplica(snapshot));
  }

  private static ReplicaIdentity identity(LocalReplica replica) throws IOException {
    return ReplicaIdentity.of(replica.getMetaFile().toPath());
  }

  @Override
  public ReplicaFiles open(ReplicaSnapshot snapshot) throws IOException {
    for (LocalReplica replica = localReplica(snapshot);;) {
      try {
        // In this order: see ReplicaFiles. The file is opened next, so this costs its disk nothing.
        ReplicaIdentity identity = identity(replica);
        return checked(snapshot, OpenReplicaFiles.forFill(
            replica, snapshot.length(), identity, datanode::checkDiskErrorAsync));
      } catch (IOException e) {
        if (replica(snapshot.key()) == replica || !isCurrent(snapshot)) {
          throw e;
        }
        // It was moved to another volume meanwhile.
        replica = localReplica(snapshot);
      }
    }
  }

  private LocalReplica localReplica(ReplicaSnapshot snapshot) throws IOException {
    if (replica(snapshot.key()) instanceof LocalReplica replica) {
      return replica;
    }
    throw new IOException("no local files of " + snapshot);
  }

  @Override
  public ReplicaFiles openForClient(ReplicaSnapshot snapshot, boolean withChecksums)
      throws IOException {
    ExtendedBlock block = new ExtendedBlock(snapshot.key().blockPoolId(),
        snapshot.key().blockId(), snapshot.length(), snapshot.generationStamp());
    return checked(snapshot, OpenReplicaFiles.forClient(
        datanode.getFSDataset(), localReplica(snapshot), block, withChecksums,
        datanode::checkDiskErrorAsync));
  }

  /**
   * The files were found by block id alone. If the replica is unchanged after both were opened, it
   * was unchanged before: generation stamps only grow.
   */
  private ReplicaFiles checked(ReplicaSnapshot snapshot, ReplicaFiles files)
      throws IOException {
    try {
      if (!isCurrent(snapshot)) {
        throw new IOException(snapshot + " is no longer the DataNode's replica");
      }
      return files;
    } catch (IOException | RuntimeException | Error e) {
      files.close();
      throw e;
    }
  }

  private Replica replica(BlockKey key) {
    return replica(key.blockPoolId(), key.blockId());
  }

  /** @return the DataNode's replica in any state, or null. */
  @SuppressWarnings("deprecation")
  Replica replica(String blockPoolId, long blockId) {
    FsDatasetSpi<?> dataset = datanode.getFSDataset();
    // Deprecated because of its locking, but BlockSender still calls it.
    return dataset == null ? null : dataset.getReplica(blockPoolId, blockId);
  }
}
