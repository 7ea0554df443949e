/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import static org.junit.Assert.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestSiteFile {

  @Rule
  public final TemporaryFolder directory = new TemporaryFolder();

  @Test
  public void write_markupInAValue_isText() throws Exception {
    Path file = directory.getRoot().toPath().resolve("hdfs-site.xml");

    SiteFile.write(file, Map.of("a.key", "1 < 2 & 3").entrySet(), "  <include/>\n");

    assertEquals("<configuration>\n"
        + "<property>\n  <name>a.key</name>\n  <value>1 &lt; 2 &amp; 3</value>\n</property>\n"
        + "  <include/>\n</configuration>\n", Files.readString(file));
  }
}
