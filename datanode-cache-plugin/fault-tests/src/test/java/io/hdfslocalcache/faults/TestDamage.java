/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.util.Arrays;

import io.hdfslocalcache.faults.PageDamager.Damage;
import io.hdfslocalcache.plugin.page.PageTrailer;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.Test;

public class TestDamage {

  private static final int CHECKSUMS = LocalCacheCluster.PAGE / 512 * 4;
  private static final int LENGTH = LocalCacheCluster.PAGE + CHECKSUMS + PageTrailer.LENGTH;

  @Test
  public void apply_changesThePage_andItsLengthOnlyWhereItSaysSo() {
    for (Damage damage : Damage.values()) {
      byte[] page = LocalCacheCluster.bytes(1, LENGTH);
      byte[] damaged = damage.apply(page.clone(), LocalCacheCluster.bytes(2, LENGTH),
          LocalCacheCluster.bytes(3, LENGTH));
      assertFalse(damage.toString(), Arrays.equals(page, damaged));
      assertEquals(damage.toString(), damage.keepsLength(), damaged.length == LENGTH);
    }
  }
}
