/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import org.junit.Test;

/** Data and checksums. */
public class TestWireBytes {

  private static long wire(long data, int chunk) {
    return data + (data + chunk - 1) / chunk * 4;
  }

  @Test
  public void toData_anyLength_undoesWhatTheDataNodeDoes() throws Exception {
    for (int chunk : new int[] {1, 512, 4096}) {
      WireBytes bytes = new WireBytes(chunk);
      for (long data = 0; data < 10_000; data++) {
        assertEquals(data, bytes.toData(wire(data, chunk)));
      }
      assertEquals(5L << 40, bytes.toData(wire(5L << 40, chunk)));
    }
  }

  @Test
  public void toData_withoutChecksums_isAllData() throws Exception {
    assertEquals(516, new WireBytes(0).toData(516));
  }

  @Test
  public void toData_checksumWithoutData_isBad() {
    assertThrows(BadLineException.class, () -> new WireBytes(512).toData(516 + 4));
    assertThrows(BadLineException.class, () -> new WireBytes(512).toData(1));
  }
}
