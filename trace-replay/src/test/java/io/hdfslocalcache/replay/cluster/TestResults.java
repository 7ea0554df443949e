/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cluster;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;

import io.hdfslocalcache.harness.Report;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The results of a benchmark are there as a whole or not at all. */
public class TestResults {

  @Rule
  public final TemporaryFolder temporary = new TemporaryFolder();

  private Results begin(String directory) throws IOException {
    Path out = new Path(new Path(temporary.getRoot().toURI()), directory);
    Results results = new Results(out, new Configuration());
    results.write("hdfs-site.xml", "text");
    return results;
  }

  @Test
  public void complete_hasTheirName_andNotBefore() throws IOException {
    Results results = begin("out");
    assertArrayEquals(new String[] {"_temporary-out"}, temporary.getRoot().list());
    results.complete(new Report("text"), 1);
    assertArrayEquals(new String[] {"out"}, temporary.getRoot().list());
    assertEquals("text",
        Files.readString(temporary.getRoot().toPath().resolve("out/hdfs-site.xml")));
  }

  @Test
  public void discarded_nothingIsLeft() throws IOException {
    begin("out").close();
    assertEquals(0, temporary.getRoot().list().length);
  }

  @Test
  public void directoryThatCameMeanwhile_isNotTouched() throws IOException {
    Results results = begin("out");
    File other = temporary.newFile("out");
    assertThrows(IOException.class, () -> results.complete(new Report("text"), 1));
    assertEquals(0, other.length());
  }
}
