/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.util.Arrays;

import io.hdfslocalcache.plugin.page.PageTrailer;
import io.hdfslocalcache.testing.LocalCacheCluster;

/** What can become of a page file. Its data comes first, then checksums, then the trailer. */
public enum Damage {
  /** A bit of the data is flipped. */
  DATA_BIT {
    @Override
    byte[] apply(byte[] page, byte[] other, byte[] older) {
      page[5000] ^= 16;
      return page;
    }
  },
  /** A bit of a checksum is flipped. */
  CHECKSUM_BIT {
    @Override
    byte[] apply(byte[] page, byte[] other, byte[] older) {
      page[LocalCacheCluster.PAGE + 17] ^= 1;
      return page;
    }
  },
  /** A bit of the trailer is flipped. */
  TRAILER_BIT {
    @Override
    byte[] apply(byte[] page, byte[] other, byte[] older) {
      page[page.length - PageTrailer.LENGTH + 20] ^= 1;
      return page;
    }
  },
  /** A block of the data is zero. */
  DATA_ZERO {
    @Override
    byte[] apply(byte[] page, byte[] other, byte[] older) {
      Arrays.fill(page, 8192, 8192 + 4096, (byte) 0);
      return page;
    }
  },
  /** Checksums and trailer are zero. */
  CHECKSUMS_ZERO {
    @Override
    byte[] apply(byte[] page, byte[] other, byte[] older) {
      Arrays.fill(page, LocalCacheCluster.PAGE, page.length, (byte) 0);
      return page;
    }
  },
  /** Everything is zero. */
  ALL_ZERO {
    @Override
    byte[] apply(byte[] page, byte[] other, byte[] older) {
      Arrays.fill(page, (byte) 0);
      return page;
    }
  },
  /** It is another page of the same block. */
  SWAPPED {
    @Override
    byte[] apply(byte[] page, byte[] other, byte[] older) {
      return other;
    }
  },
  /** A block of its data is that of another page. */
  DATA_SWAPPED {
    @Override
    byte[] apply(byte[] page, byte[] other, byte[] older) {
      System.arraycopy(other, 4096, page, 4096, 4096);
      return page;
    }
  },
  /** It is what it was before the block's last change: the writes since are lost. */
  STALE {
    @Override
    byte[] apply(byte[] page, byte[] other, byte[] older) {
      return older;
    }
  },
  /** The same, of the data only. */
  DATA_STALE {
    @Override
    byte[] apply(byte[] page, byte[] other, byte[] older) {
      System.arraycopy(older, 0, page, 0, LocalCacheCluster.PAGE);
      return page;
    }
  },
  /** The same, of checksums and trailer only. */
  CHECKSUMS_STALE {
    @Override
    byte[] apply(byte[] page, byte[] other, byte[] older) {
      System.arraycopy(older, LocalCacheCluster.PAGE, page, LocalCacheCluster.PAGE,
          page.length - LocalCacheCluster.PAGE);
      return page;
    }
  },
  /** The same, of all but the trailer: data and checksums match each other. */
  ALL_BUT_TRAILER_STALE {
    @Override
    byte[] apply(byte[] page, byte[] other, byte[] older) {
      System.arraycopy(older, 0, page, 0, page.length - PageTrailer.LENGTH);
      return page;
    }
  },
  /** Checksums and trailer are missing. */
  CUT {
    @Override
    byte[] apply(byte[] page, byte[] other, byte[] older) {
      return Arrays.copyOf(page, LocalCacheCluster.PAGE);
    }
  },
  /** There is nothing in it. */
  EMPTY {
    @Override
    byte[] apply(byte[] page, byte[] other, byte[] older) {
      return new byte[0];
    }
  };

  /**
   * @param page the sound page file, of a full page, which may be changed
   * @param other another full page of the block
   * @param older the same page before the block's last change
   * @return what becomes of it
   */
  abstract byte[] apply(byte[] page, byte[] other, byte[] older);

  /** @return whether the file keeps its length, so that it can happen below a file system. */
  public boolean keepsLength() {
    return this != CUT && this != EMPTY;
  }
}
