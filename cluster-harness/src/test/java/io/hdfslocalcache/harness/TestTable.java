/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class TestTable {

  @Test
  public void toString_hasHeadAndRows_numbersToTheRight() {
    Table table = new Table("path", ">reads");
    table.row("hit/seq-1", 17);
    table.row("", 4.5);

    assertEquals("| path | reads |\n|---|--:|\n| hit/seq-1 | 17 |\n|  | 4.5 |\n",
        table.toString());
  }
}
