/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The proof that what the OS page cache has of a page file is what was verified, though it is not
 * looked at again. The whole file is mapped in, then verified. The kernel takes out of the page
 * table what leaves memory, and nobody but this class puts it in again. So what is still mapped in
 * was not read from the SSD since.
 *
 * <p>Costs a pass over the page, and some memory for the page table; so it is made for pages of
 * which as much is read as they have. Where the kernel does not tell, there is never a proof.
 */
public final class MemoryProof {

  /** Compares a page's data with its checksums. */
  public interface Check {
    /** @throws IOException if they do not match, or cannot be read */
    void run() throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(MemoryProof.class);
  /** After a failure, so many times the page has to be read before it is tried again. */
  private static final int BACK_OFF = 16;

  private final PageResidency residency;
  private final int length;
  /** Bytes that readers wanted since it was last worthwhile; negative after a failure. */
  private volatile long wanted;
  /** Changes when a proof is begun or taken back, so that an old one is never taken for the new. */
  private volatile int epoch;
  private volatile int provenEpoch = -1;
  private final AtomicBoolean proving = new AtomicBoolean();

  /** @param length bytes of data in the page */
  MemoryProof(PageResidency residency, int length) {
    this.residency = residency;
    this.length = length;
  }

  /** @return whether the page was verified, and these bytes of its file have not left memory since. */
  public boolean holds(int from, int to) {
    int before = epoch;
    // In this order: who begins a proof anew maps the page in again.
    return provenEpoch == before && residency.isMappedIn(from, to) && epoch == before;
  }

  /**
   * Notes that a reader has come for data of the page that is not proven.
   *
   * @param bytes that it wants; 0 if it was noted already
   * @return whether so much was wanted since this last was true that the page should be proven
   */
  public boolean isWorthwhile(int bytes) {
    // Without a lock: it does not matter if some are lost.
    long sum = wanted + bytes;
    boolean enough = sum >= length && residency.canBeMappedIn();
    wanted = enough ? 0 : sum;
    return enough;
  }

  /**
   * Maps the page in and verifies it, unless another thread just did. All of the file must be in
   * memory.
   *
   * @return whether it is proven now; false if another thread is at it, or it cannot be mapped in
   * @throws IOException what the check throws
   */
  public boolean make(Check check) throws IOException {
    if (!proving.compareAndSet(false, true)) {
      return false;
    }
    try {
      return provenEpoch == epoch && residency.isAllMappedIn() || makeAnew(check);
    } finally {
      proving.set(false);
    }
  }

  private boolean makeAnew(Check check) throws IOException {
    int now = nextEpoch();
    try {
      if (!residency.mapIn()) {
        return false;
      }
    } catch (IOException e) {
      LOG.debug("Local cache: no proof", e);
      wanted = -(long) BACK_OFF * length;
      return false;
    }
    check.run();
    provenEpoch = now;
    // What left memory while it was verified is not what was verified.
    return epoch == now && residency.isAllMappedIn();
  }

  private synchronized int nextEpoch() {
    return ++epoch;
  }

  /** Takes the proof back, one that is being made included. */
  void takeBack() {
    nextEpoch();
  }
}
