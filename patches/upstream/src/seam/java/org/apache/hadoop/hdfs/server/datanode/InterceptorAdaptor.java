/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package org.apache.hadoop.hdfs.server.datanode;

import java.util.function.LongFunction;

import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaChangeListener;

/** Passes calls of the proposed interfaces of the DataNode on to the interceptor. */
final class InterceptorAdaptor implements ReplicaSource, ReplicaChangeListener {

  private final BlockReaderInterceptor interceptor;

  private InterceptorAdaptor(BlockReaderInterceptor interceptor) {
    this.interceptor = interceptor;
  }

  /** Without an interceptor, the DataNode has neither a source nor a listener. */
  static void register(DataNode datanode) {
    BlockReaderInterceptor interceptor = datanode.getBlockReaderInterceptor();
    if (interceptor != BlockReaderInterceptor.NONE) {
      InterceptorAdaptor adaptor = new InterceptorAdaptor(interceptor);
      datanode.getFSDataset().addReplicaChangeListener(adaptor);
      datanode.setReplicaSource(adaptor);
    }
  }

  @Override
  public Read beginRead(ReplicaReadRequest request, Replica replica) {
    ReadingClient client = new ReadingClient(
        request.getClientName(), request.getClientAddress(), request.getBlockToken());
    return interceptor.beginRead(
        client, request.getBlock(), replica, request.getOffset(), request.getLength());
  }

  @Override
  public void replicaChanged(String bpid, Change change, Replica before, Replica after) {
    interceptor.replicaChanged(bpid, before, after);
  }

  @Override
  public void blockPoolRemoved(String bpid, LongFunction<Replica> removed) {
    interceptor.blockPoolRemoved(bpid, removed);
  }

  @Override
  public void beforeFilesDeleted(String bpid, Replica removed) {
    interceptor.replicaFilesLeave(bpid, removed);
  }

  @Override
  public void beforeBlockPoolDeleted(String bpid) {
    interceptor.replicaFilesLeave(bpid, null);
  }
}
