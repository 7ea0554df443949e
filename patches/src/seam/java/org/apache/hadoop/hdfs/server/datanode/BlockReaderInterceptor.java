/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package org.apache.hadoop.hdfs.server.datanode;

import java.io.Closeable;
import java.io.IOException;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.classification.InterfaceStability;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * A seam in the DataNode's read path: an interceptor may serve a client's read of a replica from
 * another source than the replica's files, and is told of every change of a replica.
 *
 * <p>Every method has a default that does nothing, and {@link #NONE} is used when no interceptor
 * is configured: the DataNode then behaves as without the seam. Except {@link #start} and
 * {@link #storageReady}, no method may throw: a failing interceptor must behave like none.
 *
 * <p>Life of an interceptor: {@link #load}, {@link #start}, {@link #storageReady}, any number of
 * reads, changes and {@link #blockPoolReady new block pools} from any thread,
 * {@link #shutdownBegins}, {@link #close}. {@link #close} may follow any of them.
 */
@InterfaceAudience.LimitedPrivate("DataNode local cache")
@InterfaceStability.Unstable
public interface BlockReaderInterceptor extends Closeable {

  /** Name of the interceptor's class, with a public constructor without parameters. */
  String CLASS_KEY = "dfs.datanode.block.reader.interceptor.class";

  /** Leaves every read to the DataNode. */
  BlockReaderInterceptor NONE = new BlockReaderInterceptor() { };

  /**
   * Creates the configured interceptor.
   *
   * @return {@link #NONE} if none is configured
   * @throws IOException if the class cannot be used; the message names key and value
   */
  static BlockReaderInterceptor load(Configuration conf) throws IOException {
    String name = conf.getTrimmed(CLASS_KEY, "");
    if (name.isEmpty()) {
      return NONE;
    }
    try {
      return ReflectionUtils.newInstance(
          conf.getClassByName(name).asSubclass(BlockReaderInterceptor.class), conf);
    } catch (ClassNotFoundException | RuntimeException | LinkageError e) {
      throw unusable(name, e);
    }
  }

  /**
   * Explains to operators why an interceptor cannot be used: its class, or its jars. The DataNode
   * logs stack trace and cause, which would bury the message: they are left out if it says
   * everything.
   *
   * @param name its class
   */
  static IOException unusable(String name, Throwable e) {
    Throwable cause = e;
    while (!(cause instanceof LinkageError) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    String why = "not a class on the DataNode's class path that implements "
        + BlockReaderInterceptor.class.getName();
    if (cause instanceof UnsupportedClassVersionError) {
      why = "its jars are for a newer Java than " + System.getProperty("java.version")
          + ": install all the jars of lib-java8 instead (" + cause.getMessage() + ")";
    } else if (cause instanceof LinkageError) {
      why = "its jars do not belong together: install all of lib, or all of lib-java8 ("
          + cause + ")";
    }
    boolean isSaid = e instanceof ClassNotFoundException || e instanceof ClassCastException
        || cause instanceof UnsupportedClassVersionError;
    IOException unusable =
        new IOException(CLASS_KEY + " = " + name + ": " + why, isSaid ? null : e);
    unusable.setStackTrace(new StackTraceElement[0]);
    return unusable;
  }

  /**
   * Called once while the DataNode starts: its IPC server exists but does not run, no block pool
   * is known.
   *
   * @throws IOException if the interceptor's configuration is wrong: the DataNode does not start
   */
  default void start(DataNode datanode) throws IOException {
  }

  /**
   * Called when the DataNode's UUID is known, before its dataset is created. May be called again if
   * creating the dataset failed.
   *
   * @throws IOException if the interceptor cannot work: the block pool does not start
   */
  default void storageReady(DataNode datanode) throws IOException {
  }

  /**
   * All replicas of a block pool on the volumes are in the replica map now. Called before
   * the block pool registers with its NameNode, which waits for it: must return soon.
   */
  default void blockPoolReady(DataNode datanode, String bpid) {
  }

  /**
   * A client, whose right to read the block has been checked, asks for a part of a replica. Called
   * before any file of the replica is opened.
   *
   * @param client the reader; without a name for a DataNode that reconstructs an erasure-coded
   *     block
   * @param block the block as the client knows it: its generation stamp is older than the replica's
   *     if an append has begun since
   * @param replica the DataNode's replica; its state may change at any time
   * @param offset first requested byte, not checked against the replica's length
   * @param length number of requested bytes; negative: to the end
   * @return the object to tell about the read's progress, or null
   */
  default InterceptedRead beginRead(
      ReadingClient client, ExtendedBlock block, Replica replica, long offset, long length) {
    return null;
  }

  /**
   * A replica in the DataNode's replica map was replaced, removed or changed in place. Called
   * with locks of the dataset held, after the map has changed and before files are deleted: must
   * open no file and not wait, because every other read and write may wait for it.
   *
   * @param before the previous replica; already changed if the dataset updates replicas in place
   * @param after the present replica, or null
   */
  default void replicaChanged(String bpid, Replica before, Replica after) {
  }

  /**
   * All replicas of a block pool have left the replica map: the DataNode no longer serves the pool,
   * or it shuts down. Called with locks of the dataset held, as {@link #replicaChanged}.
   *
   * @param left finds these replicas by block id, or null
   */
  default void blockPoolRemoved(String bpid, java.util.function.LongFunction<Replica> left) {
  }

  /**
   * The files of a replica that has left the replica map are about to be deleted, or moved to the
   * trash. Called without a lock, by the thread that deletes them, which waits for this.
   *
   * @param replica the replica of the files; null: all replicas of the block pool, if it is no
   *     longer served
   */
  default void replicaFilesLeave(String bpid, Replica replica) {
  }

  /**
   * Tells the NameNodes of an error of the interceptor's storage: a line in their logs. Unlike a
   * failed volume of the DataNode, it makes no replica or volume count as failed.
   */
  static void reportError(DataNode datanode, String message) {
    for (BPOfferService pool : datanode.getAllBpOs()) {
      pool.trySendErrorReport(DatanodeProtocol.DISK_ERROR, message);
    }
  }

  /**
   * The DataNode ends, and is about to close its block pools: their replicas stay. It was shut down,
   * or ends because of failed disks, or because no NameNode accepts it. Called for each block pool.
   */
  default void shutdownBegins() {
  }

  /** Called once at the end of the DataNode's shutdown. Releases threads, locks and files. */
  @Override
  default void close() throws IOException {
  }
}
