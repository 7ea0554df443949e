/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.restore;

import java.io.IOException;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;

/** A DataNode that has every replica that it is asked for, and admits every block. */
public final class AdmitAll {

  public static final CacheRateLimiter LIMITER = new CacheRateLimiter() {
    @Override
    public void record(String blockPoolId, long blockId, long length) {
    }

    @Override
    public boolean admits(String blockPoolId, long blockId) {
      return true;
    }
  };

  private AdmitAll() {
  }

  static ReplicaAccess replicas() {
    return new ReplicaAccess() {
      @Override
      public boolean isCurrent(ReplicaSnapshot snapshot) {
        return true;
      }

      @Override
      public String volumeOf(BlockKey key) {
        return null;
      }

      @Override
      public ReplicaIdentity identity(ReplicaSnapshot snapshot) {
        return ReplicaIdentity.NONE;
      }

      @Override
      public ReplicaFiles open(ReplicaSnapshot snapshot) throws IOException {
        throw new IOException("has none");
      }

      @Override
      public ReplicaFiles openForClient(ReplicaSnapshot snapshot, boolean withChecksums)
          throws IOException {
        return open(snapshot);
      }
    };
  }
}
