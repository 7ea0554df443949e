/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

import io.hdfslocalcache.eviction.EntryList;

/**
 * S3-FIFO (Yang et al., SOSP 2023): pages enter a small queue, a tenth of all, and go on into the
 * main queue if they were read more than once there; otherwise they leave, and only their
 * numbers are remembered, as many as the main queue has pages. A page that comes back meanwhile
 * enters the main queue at once. There it is passed once for each read, three at most.
 */
final class S3Fifo implements Eviction.Policy {

  private static final int MOST_READS = 3;
  private static final int READS_TO_STAY = 2;

  private final EntryList<Page> small = new EntryList<>();
  private final EntryList<Page> main = new EntryList<>();
  private final Queue<Integer> ghosts = new ArrayDeque<>();
  private final Map<Integer, Integer> ghostCounts = new HashMap<>();

  @Override
  public void add(Page page) {
    page.isInSmall = !ghostCounts.containsKey(page.number);
    (page.isInSmall ? small : main).addNewest(page);
  }

  @Override
  public boolean read(Page page) {
    if (page.reads < MOST_READS) {
      page.reads++;
    }
    return false;
  }

  @Override
  public void remove(Page page) {
    if (page.isInSmall) {
      small.remove(page);
      remember(page.number);
    } else {
      main.remove(page);
    }
  }

  private void remember(int number) {
    ghosts.add(number);
    ghostCounts.merge(number, 1, Integer::sum);
    while (ghosts.size() > Math.max(1, main.size())) {
      ghostCounts.computeIfPresent(ghosts.remove(), (key, n) -> n == 1 ? null : n - 1);
    }
  }

  @Override
  public Page victim() {
    Page victim = null;
    if (small.size() >= (small.size() + main.size() + 9) / 10) {
      victim = victimOfSmall();
    }
    return victim != null ? victim : victimOfMain();
  }

  private Page victimOfSmall() {
    Page page = small.oldest();
    while (page != null && page.reads >= READS_TO_STAY) {
      small.remove(page);
      page.reads = 0;
      page.isInSmall = false;
      main.addNewest(page);
      page = small.oldest();
    }
    return page;
  }

  private Page victimOfMain() {
    Page page = main.oldest();
    for (long passed = 0; page != null && page.reads > 0; passed++) {
      page.reads = (byte) (passed > 4L * main.size() ? 0 : page.reads - 1);
      main.remove(page);
      main.addNewest(page);
      page = main.oldest();
    }
    return page != null ? page : small.oldest();
  }
}
