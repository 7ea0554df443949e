/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.ssd.CapacityChange;
import org.apache.hadoop.conf.Configuration;

/** Pages are evicted while something else happens: an operator gives them less space. */
final class Shrink implements Fault {

  private static final long LESS = FaultCluster.CAPACITY / 8;

  private final Fault meanwhile;

  Shrink(Fault meanwhile) {
    this.meanwhile = meanwhile;
  }

  @Override
  public void begin(FaultCluster cluster) throws IOException {
    // It asks the SSDs how large they are.
    CapacityChange change = to(LESS, cluster);
    meanwhile.begin(cluster);
    change.apply();
  }

  @Override
  public void end(FaultCluster cluster) throws IOException {
    meanwhile.end(cluster);
    if (cluster.ssd().isInService()) {
      to(FaultCluster.CAPACITY, cluster).apply();
    }
  }

  @Override
  public boolean needsSsd() {
    return true;
  }

  private static CapacityChange to(long bytes, FaultCluster cluster) throws IOException {
    Configuration conf = new Configuration(cluster.cluster().mini().getConfiguration(0));
    conf.setLong(LocalCacheKeys.CAPACITY, bytes);
    try {
      return CapacityChange.of(
          cluster.cluster().cache(0).directories(), LocalCacheConfig.from(conf));
    } catch (BadConfigurationException e) {
      throw new IOException(e);
    }
  }
}
