/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.io.IOException;

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

  /** So many times as much has to be read of a page before it is tried again to map it in. */
  private static final int BACK_OFF = 16;

  private final PageResidency residency;
  private final int length;
  /** Bytes that readers wanted since the last proof, more or less; negative after a failure. */
  private volatile long wanted;
  /** Another one whenever the proof begins anew, so that nobody takes one for the other. */
  private volatile int epoch;
  private volatile int provenEpoch = -1;
  private boolean proving;

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
   * Notes that a reader wants data of the page that is not proven.
   *
   * @return whether so much of the page was read that it should be proven
   */
  public boolean isWorthwhile(int bytes) {
    if (!residency.canBeMappedIn()) {
      return false;
    }
    // Without a lock: it does not matter if some are lost.
    long sum = wanted + bytes;
    wanted = sum;
    return sum >= length;
  }

  /**
   * Maps the page in and verifies it. All of the file must be in memory.
   *
   * @return false if another thread is at it, or it cannot be mapped in
   * @throws IOException what the check throws
   */
  public boolean make(Check check) throws IOException {
    if (!begin()) {
      return false;
    }
    try {
      int now = epoch;
      if (!residency.mapIn()) {
        wanted = -(long) BACK_OFF * length;
        return false;
      }
      check.run();
      provenEpoch = now;
      return true;
    } finally {
      end();
    }
  }

  private synchronized boolean begin() {
    if (proving) {
      return false;
    }
    proving = true;
    wanted = 0;
    epoch++;
    return true;
  }

  private synchronized void end() {
    proving = false;
  }

  /** Takes the proof back, one that is being made included. */
  synchronized void takeBack() {
    epoch++;
  }
}
