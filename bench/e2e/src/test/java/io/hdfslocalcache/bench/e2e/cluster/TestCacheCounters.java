/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.Test;

public class TestCacheCounters {

  private static CacheCounters of(String json) throws IOException {
    return CacheCounters.of(new ObjectMapper().readTree(json));
  }

  @Test
  public void counters_ofTheBean() throws IOException {
    CacheCounters counters = of("{'BytesHit':1,'BytesMiss':2,'BytesBypass':4,'Pages':8,'Fills':16,"
        .replace('\'', '"') + "\"FillBytes\":32,\"FillWrittenBytes\":64,\"ErrorsA\":3,"
        + "\"ErrorsB\":4,\"State.1\":0}");

    assertEquals(7, counters.bytes());
    assertEquals(8, counters.pages());
    assertEquals(16, counters.fills());
    assertEquals(32, counters.filled());
    assertEquals(64, counters.written());
    assertEquals(7, counters.errors());
    assertTrue(counters.normal());
  }

  @Test
  public void oneSsdThatIsNotInOrder_isEnough() throws IOException {
    assertFalse(of("{\"State.1\":0,\"State.2\":1}").normal());
  }

  @Test
  public void stockDataNode_hasCountedNothing() throws IOException {
    CacheCounters none = of("{}");

    assertEquals(0, none.fills() + none.bytes() + none.errors());
    assertTrue(none.normal());
  }
}
