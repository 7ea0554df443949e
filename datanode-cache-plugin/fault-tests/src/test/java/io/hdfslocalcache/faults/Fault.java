/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.hdfslocalcache.faults.Held.Threads;
import io.hdfslocalcache.harness.Run;
import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.ssd.CapacityChange;
import org.apache.hadoop.conf.Configuration;

/**
 * Something that happens to an SSD, or to memory, and ends.
 *
 * @param beginning has it begin
 * @param ending has it end; all is as good as before then
 * @param needsSsd whether beginning and ending it writes to the SSD, and so never returns while
 *     another fault has that hang; or whether nothing like it may be at the same time: two of these
 *     are not for the same time
 */
public record Fault(Step beginning, Step ending, boolean needsSsd) {

  /** What is done to a cluster. */
  public interface Step {
    /** Does it. */
    void on(FaultCluster cluster) throws IOException;
  }

  /** Begins. */
  public void begin(FaultCluster cluster) throws IOException {
    beginning.on(cluster);
  }

  /** Ends. */
  public void end(FaultCluster cluster) throws IOException {
    ending.on(cluster);
  }

  /** @return faults of the file system or of the block device, as {@link FaultFs#fault} has them */
  static Fault of(String... faults) {
    List<String> all = List.of(faults);
    return new Fault(cluster -> {
      for (String fault : all) {
        cluster.ssd().faults().fault(fault);
      }
    }, cluster -> cluster.ssd().faults().clear(), false);
  }

  /** @return the same fault while the SSD is mounted without access times */
  Fault withoutAccessTimes() {
    return new Fault(cluster -> {
      cluster.ssd().image().remount("noatime");
      begin(cluster);
    }, cluster -> {
      end(cluster);
      if (cluster.ssd().isInService()) {
        cluster.ssd().image().remount("relatime");
      }
    }, true);
  }

  /** @return the same fault while pages are evicted: an operator gives them less space */
  Fault whilePagesAreEvicted() {
    return new Fault(cluster -> {
      begin(cluster);
      capacity(FaultCluster.CAPACITY / 8, cluster).apply();
    }, cluster -> {
      end(cluster);
      if (cluster.ssd().isInService()) {
        capacity(FaultCluster.CAPACITY, cluster).apply();
      }
    }, true);
  }

  private static CapacityChange capacity(long bytes, FaultCluster cluster) throws IOException {
    Configuration conf = new Configuration(cluster.cluster().mini().getConfiguration(0));
    conf.setLong(LocalCacheKeys.CAPACITY, bytes);
    try {
      return CapacityChange.of(
          cluster.cluster().cache(0).directories(), LocalCacheConfig.from(conf));
    } catch (BadConfigurationException e) {
      throw new IOException(e);
    }
  }

  /** @return somebody else takes all the space of the SSD, and gives it back */
  static Fault fullDisk() {
    return new Fault(cluster -> fill(cluster.ssd()),
        cluster -> Files.deleteIfExists(ofSomebodyElse(cluster.ssd())), true);
  }

  private static Path ofSomebodyElse(Ssd ssd) {
    return ssd.directory().resolveSibling("of-somebody-else");
  }

  private static void fill(Ssd ssd) throws IOException {
    Path other = ofSomebodyElse(ssd);
    long free = Files.getFileStore(ssd.directory()).getUsableSpace();
    while (free >= 4096) {
      // What the file system itself needs to describe the file is not known.
      Run.tryTo("fallocate", "-o", String.valueOf(Files.exists(other)
          ? Files.size(other) : 0), "-l", String.valueOf(free), other.toString());
      free = Math.min(free / 2, Files.getFileStore(ssd.directory()).getUsableSpace());
    }
  }

  /** @return somebody else takes all of the tmpfs in which the pages in memory are */
  static Fault fullMemory() {
    return new Fault(
        cluster -> cluster.memory().fill(), cluster -> cluster.memory().free(), true);
  }

  /** @return somebody removes the tmpfs, and mounts an empty one later */
  static Fault removedMemory() {
    return new Fault(cluster -> cluster.memory().unmount(), cluster -> {
      if (Threads.descriptorsBelow(cluster.memory().directory()) > 0) {
        throw new AssertionError("pages for memory were written to the disk below");
      }
      cluster.memory().mount();
    }, true);
  }
}
