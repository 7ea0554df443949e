/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.restore;

import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What {@code bench/restore} runs, with few pages. */
public class TestRestoreMeasurement {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void main_allPagesThatItMakesAreRestored() throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true));
    try {
      RestoreMeasurement.main(new String[] {folder.getRoot().getPath(), "64", "16", "2"});
    } finally {
      System.setOut(before);
    }
    assertTrue(printed.toString(), printed.toString().contains("restored 64 pages of 4 blocks"));
  }
}
