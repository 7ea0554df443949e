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

  @Test
  public void text_columnsAreAsWideAsTheirCells() {
    Table table = new Table("path", ">reads", "note");
    table.row("hit/seq-1", 17, "");
    table.row("miss", 4.5, "late");

    assertEquals("path       reads  note\nhit/seq-1     17\nmiss         4.5  late\n",
        table.text());
  }
}
