/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.TestingReplica;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.net.SocketOutputStream;
import org.apache.hadoop.util.DataChecksum;

/** A DataNode with one replica; a test can make things happen in the middle of a fill. */
public final class TestingReplicas implements ReplicaAccess {

  /** Something that happens. */
  public interface Incident {
    void happen() throws IOException;
  }

  private final TestingReplica replica;
  private volatile boolean current = true;
  /** Checks that do not fail. */
  private final AtomicInteger checks = new AtomicInteger(Integer.MAX_VALUE);
  private volatile Incident afterOpen = () -> { };
  private volatile Incident afterRead = () -> { };

  public TestingReplicas(TestingReplica replica) {
    this.replica = replica;
  }

  /** From now on the DataNode has another replica, or none. */
  public void change() {
    current = false;
  }

  /** From now on, calls to the DataNode fail. */
  public void failFromNowOn() {
    failAfter(0);
  }

  /** The same, after so many checks whether the replica is current. */
  public void failAfter(int many) {
    checks.set(many);
  }

  public void afterOpen(Incident incident) {
    afterOpen = incident;
  }

  /** After data of each page is read, and before its checksums are. */
  public void afterRead(Incident incident) {
    afterRead = incident;
  }

  @Override
  public boolean isCurrent(ReplicaSnapshot snapshot) {
    if (checks.getAndDecrement() <= 0) {
      throw new IllegalStateException("broken");
    }
    return current && snapshot.equals(replica.snapshot());
  }

  @Override
  public String volumeOf(BlockKey key) {
    return "volume";
  }

  @Override
  public ReplicaIdentity identity(ReplicaSnapshot snapshot) {
    return TestingReplica.IDENTITY;
  }

  @Override
  public ReplicaFiles open(ReplicaSnapshot snapshot) throws IOException {
    ReplicaFiles files = replica.open();
    try {
      afterOpen.happen();
    } catch (IOException | RuntimeException e) {
      files.close();
      throw e;
    }
    return new EventfulFiles(files);
  }

  @Override
  public ReplicaFiles openForClient(ReplicaSnapshot snapshot, boolean withChecksums)
      throws IOException {
    return open(snapshot);
  }

  private final class EventfulFiles implements ReplicaFiles {
    private final ReplicaFiles files;

    private EventfulFiles(ReplicaFiles files) {
      this.files = files;
    }

    @Override
    public ReplicaIdentity identity() {
      return files.identity();
    }

    @Override
    public DataChecksum checksum() throws IOException {
      return files.checksum();
    }

    @Override
    public void readData(long position, ByteBuffer buffer) throws IOException {
      files.readData(position, buffer);
      afterRead.happen();
    }

    @Override
    public void readChecksums(long position, ByteBuffer buffer) throws IOException {
      files.readChecksums(position, buffer);
    }

    @Override
    public void transferTo(SocketOutputStream out, long position, int length,
        LongWritable waitTime, LongWritable transferTime) {
      throw new UnsupportedOperationException("a fill sends nothing");
    }

    @Override
    public boolean retain() {
      return files.retain();
    }

    @Override
    public void close() {
      files.close();
    }
  }
}
