/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.eviction;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * S3-FIFO (Yang et al., SOSP 2023): pages enter a small queue, a tenth of all, and go on into the
 * main queue if they were read more than once there; otherwise they leave, and only their
 * fingerprints are remembered, as many as the main queue has pages. A page that comes back
 * meanwhile enters the main queue at once. There it is passed once for each read, three at most. A
 * read counts, and takes no lock. For comparison.
 */
public final class S3Fifo implements EvictionPolicy {

  private static final byte SMALL = 0;
  private static final byte MAIN = 1;
  private static final int MOST_READS = 3;
  private static final int READS_TO_STAY = 2;

  private final EntryList small = new EntryList();
  private final EntryList main = new EntryList();
  private final Queue<Long> ghosts = new ArrayDeque<>();
  private final Map<Long, Integer> ghostCounts = new HashMap<>();

  @Override
  public synchronized void add(Entry page) {
    page.reads = 0;
    boolean isBack = ghostCounts.containsKey(page.fingerprint());
    page.list = isBack ? MAIN : SMALL;
    (isBack ? main : small).addNewest(page);
  }

  @Override
  public synchronized void addOlder(Entry page) {
    page.reads = 0;
    page.list = MAIN;
    main.addOldest(page);
  }

  @Override
  public void read(Entry page) {
    int reads = page.reads;
    if (reads < MOST_READS) {
      page.reads = (byte) (reads + 1);
    }
  }

  @Override
  public synchronized void remove(Entry page) {
    if (page.list == SMALL) {
      small.remove(page);
      remember(page.fingerprint());
    } else {
      main.remove(page);
    }
  }

  private void remember(long fingerprint) {
    ghosts.add(fingerprint);
    ghostCounts.merge(fingerprint, 1, Integer::sum);
    while (ghosts.size() > Math.max(1, main.size())) {
      ghostCounts.computeIfPresent(ghosts.remove(), (key, n) -> n == 1 ? null : n - 1);
    }
  }

  @Override
  public synchronized Entry victim() {
    Entry victim = null;
    if (small.size() >= (small.size() + main.size() + 9) / 10) {
      victim = victimOfSmall();
    }
    return victim != null ? victim : victimOfMain();
  }

  private Entry victimOfSmall() {
    Entry page = small.oldest();
    while (page != null && page.reads >= READS_TO_STAY) {
      small.remove(page);
      page.reads = 0;
      page.list = MAIN;
      main.addNewest(page);
      page = small.oldest();
    }
    return page;
  }

  private Entry victimOfMain() {
    Entry page = main.oldest();
    for (long passed = 0; page != null && page.reads > 0; passed++) {
      page.reads = (byte) (passed > 4L * main.size() ? 0 : page.reads - 1);
      main.remove(page);
      main.addNewest(page);
      page = main.oldest();
    }
    return page != null ? page : small.oldest();
  }

  @Override
  public synchronized void lastToLeaveFirst(Consumer<Entry> consumer) {
    for (EntryList list : new EntryList[] {main, small}) {
      for (Entry page = list.newest(); page != null; page = list.olderThan(page)) {
        consumer.accept(page);
      }
    }
  }
}
