/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class TestTable {

  @Test
  public void text_columnsAreAsWideAsTheirCells() {
    Table table = new Table("path", ">reads", "note");
    table.row("hit/seq-1", 17, "");
    table.row("miss", 4.5, "late");

    assertEquals("path       reads  note\nhit/seq-1     17\nmiss         4.5  late\n",
        table.text());
  }

  @Test
  public void markdown_hasNoBlanks() {
    Table table = new Table("fault", ">reads");
    table.row("a|b hangs", 17);
    assertEquals("|fault|reads|\n|---|--:|\n|a\\|b hangs|17|\n", table.markdown());
  }
}
