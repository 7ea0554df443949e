/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.Test;

/** The support table in README.md, by which the installed archive is tested. */
public final class TestSupportTable {

  @Test
  public void table_hasEveryHadoopThatIsPatched() throws Exception {
    SupportTable table =
        new SupportTable(Path.of(System.getProperty("root")).resolve("README.md"));
    List<String> patched = HadoopLines.versions();
    assertEquals(patched, table.releases());
    assertEquals("that run on some Java", Set.copyOf(patched),
        table.rows().stream().map(row -> row[0]).collect(Collectors.toSet()));
  }
}
