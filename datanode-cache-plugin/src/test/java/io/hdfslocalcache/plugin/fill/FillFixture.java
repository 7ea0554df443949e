/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import io.hdfslocalcache.plugin.admission.Admission;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.rules.Rules;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import io.hdfslocalcache.ratelimit.AdmitAll;
import org.junit.Rule;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** A replica, an SSD, and a local cache around the fills, that admits all but refused pages. */
public abstract class FillFixture {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  @Rule
  public final Timeout timeout = Timeout.seconds(300);

  protected final LocalCacheMetrics metrics = new LocalCacheMetrics();
  /** The volume's clock. */
  protected final AtomicLong nanos = new AtomicLong();
  protected final Volume volume = new Volume(nanos::get);
  /** The pages that were asked about, and -1 for the block. */
  protected final List<Integer> asked = new ArrayList<>();
  protected final Set<Integer> refused = new HashSet<>();
  protected final AtomicLong written = new AtomicLong();
  protected volatile boolean mayFill = true;
  protected volatile boolean knowsPages = true;
  /** Whether the write budget has room for another page, whatever its heat. */
  protected volatile BooleanSupplier mayWrite = () -> true;
  protected volatile boolean isBudgetSpent;
  /** Bytes that may be written in total. */
  protected volatile long budget = Long.MAX_VALUE;
  protected Path root;
  protected TestingSsd ssd;
  protected TestingReplica replica;
  protected TestingReplicas replicas;

  /** From now on, the OS page cache serves reads of the volume. */
  protected void useMemory() {
    for (int i = 0; i < 100; i++) {
      volume.took(64 << 10, 30_000);
    }
  }

  /** From now on, reads wait for the volume. */
  protected void useBusyDisk() {
    for (int i = 0; i < 100; i++) {
      volume.took(64 << 10, 200_000_000);
    }
  }

  /** Admits what is not refused, and notes what it is asked and told. */
  private final class Limiter extends AdmitAll {
    Limiter() {
      super(null, null);
    }

    @Override
    public boolean admits(String blockPoolId, long blockId) {
      return isAdmitted(-1);
    }

    @Override
    public boolean admits(String blockPoolId, long blockId, int page) {
      return isAdmitted(page);
    }

    @Override
    public boolean mayWrite(long ahead) {
      return mayWrite.getAsBoolean() && budget - written.get() > ahead;
    }

    @Override
    public boolean isBudgetSpent() {
      return isBudgetSpent || written.get() >= budget;
    }

    @Override
    public void written(long bytes) {
      writing(bytes);
    }
  }

  private synchronized boolean isAdmitted(int page) {
    asked.add(page);
    return !refused.contains(page);
  }

  /** Bytes are about to be written to the SSD. */
  protected void writing(long bytes) {
    written.addAndGet(bytes);
  }

  /** @return what decides on fills of the replica. */
  protected Admission admission() {
    return new Admission(() -> mayFill, () -> knowsPages, ssd.directories(), new Limiter(), replicas, ssd.index(),
        (block, why) -> removePages(block), metrics);
  }

  /** Removes the pages of a block that was killed. */
  protected void removePages(CachedBlock block) {
    ssd.directory().pages().removeBlock(block);
  }

  /** @return what writes to the SSD. */
  protected PageWriter newWriter() {
    return new PageWriter(admission(), new Rules(), metrics);
  }
}
