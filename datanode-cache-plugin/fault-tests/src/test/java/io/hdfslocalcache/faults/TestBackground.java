/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.junit.Test;

public class TestBackground {

  @Test
  public void closeAll_someFail_allAreClosedAndAllFailuresAreToldOf() {
    List<String> closed = new ArrayList<>();
    IOException first = new IOException("no end");
    IOException second = new IOException("no end either");
    List<Closeable> all = List.of(() -> fail("a", closed, first), () -> closed.add("b"),
        () -> fail("c", closed, second), () -> closed.add("d"));

    assertEquals(first, assertThrows(IOException.class, () -> Background.closeAll(all)));
    assertArrayEquals(new Throwable[] {second}, first.getSuppressed());
    assertEquals(List.of("a", "b", "c", "d"), closed);
  }

  private static void fail(String name, List<String> closed, IOException failure)
      throws IOException {
    closed.add(name);
    throw failure;
  }
}
