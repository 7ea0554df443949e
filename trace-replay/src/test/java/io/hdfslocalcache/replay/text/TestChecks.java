/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.text;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.List;

import io.hdfslocalcache.replay.text.Text.Checks;
import io.hdfslocalcache.replay.text.Text.Checks.Bytes;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;
import picocli.CommandLine.TypeConversionException;

/** Numbers that an option refuses, and the messages. */
public class TestChecks {

  private static void assertComplains(String complaint, ThrowingRunnable check) {
    assertEquals(complaint,
        assertThrows(complaint, IllegalArgumentException.class, check).getMessage());
  }

  @Test
  public void pageSize_isWhatADataNodeTakes() {
    for (long bytes : new long[] {64 << 10, 1 << 20, 8 << 20}) {
      Checks.pageSize(bytes);
    }
    for (long bytes : new long[] {0, 4096, 60 << 10, (64 << 10) + 1, (8 << 20) + 4096, 1L << 32}) {
      assertComplains("--page-size: must be a multiple of 4096 from 64k to 8m, not " + bytes,
          () -> Checks.pageSize(bytes));
    }
  }

  @Test
  public void bytes_suffixesOfHadoop_areTaken() {
    assertEquals(512, (long) new Bytes().convert("512"));
    assertEquals(64 << 10, (long) new Bytes().convert("64k"));
    assertEquals(3L << 40, (long) new Bytes().convert(" 3T "));
  }

  @Test
  public void bytes_anythingElse_isQuoted() {
    for (String size : List.of("", " ", "k", "0", "-1g", "1.5g", "much", "4x", "99999999999t")) {
      assertEquals("'" + size + "' is not a size such as 4t", assertThrows(size,
          TypeConversionException.class, () -> new Bytes().convert(size)).getMessage());
    }
  }
}
