/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** Admission without a threshold. */
public class TestAdmitAll {

  @Test
  public void admits_blockNeverRead_true() {
    try (CacheRateLimiter limiter = new AdmitAll(null, null)) {
      assertTrue(limiter.admits("BP-1", 1));
      limiter.record("BP-1", 1, 1);
      assertTrue(limiter.admits("BP-1", 1));
    }
  }
}
