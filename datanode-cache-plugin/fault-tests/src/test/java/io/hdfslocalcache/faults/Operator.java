/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import io.hdfslocalcache.plugin.admin.OnOff;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.Readers;

/**
 * An operator who never rests: clears blocks of the files, so that reads miss all the time; at times
 * switches the local cache off and on, and changes the rate limiter.
 */
final class Operator extends Background {

  private static final String WHY = "fault test";
  private static final int PERIOD_MILLIS = 20;
  private static final int MAX_OFF_MILLIS = 200;
  private static final int MAX_THRESHOLD = 3;
  /** Of so many orders one is no clear of a block. */
  private static final int SELDOM = 50;

  private final LocalCacheCluster cluster;
  private final SplittableRandom random;
  private final List<BlockKey> blocks = new ArrayList<>();

  Operator(FaultCluster cluster, long seed) throws IOException {
    this.cluster = cluster.cluster();
    this.random = new SplittableRandom(seed);
    for (Readers.Expected file : cluster.files()) {
      blocks.add(LocalCacheCluster.key(this.cluster.block(file.path().toString())));
    }
    begin("operator");
  }

  @Override
  void again() throws IOException {
    switch (random.nextInt(2 * SELDOM)) {
      case 0 -> {
        onOff().setOn(false, WHY);
        pause(random.nextInt(MAX_OFF_MILLIS));
        onOff().setOn(true, WHY);
      }
      case 1 -> setThreshold(random.nextInt(MAX_THRESHOLD));
      default -> cluster.cache(0).view().clear(blocks.get(random.nextInt(blocks.size())), WHY);
    }
    pause(PERIOD_MILLIS);
  }

  private OnOff onOff() {
    return cluster.interceptor(0).onOff();
  }

  private void setThreshold(int reads) {
    cluster.cache(0).view().set("threshold", String.valueOf(reads), false);
  }

  @Override
  public void close() throws IOException {
    super.close();
    onOff().setOn(true, WHY);
    setThreshold(0);
  }
}
