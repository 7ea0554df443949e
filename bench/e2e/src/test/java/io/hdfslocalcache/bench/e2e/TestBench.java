/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;

import org.junit.Test;
import picocli.CommandLine;

/** The command line. */
public class TestBench {

  private static Bench parse(String... args) {
    CommandLine line = Bench.commandLine(args);
    line.parseArgs(args);
    return line.getCommand();
  }

  private static void assertRefused(String message, String... args) {
    assertRefused(message, Bench.commandLine(args), args);
  }

  /** @throws AssertionError if the command does not say in one line what is wrong */
  static void assertRefused(String message, CommandLine line, String... args) {
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true));
    try {
      assertEquals(2, line.execute(args));
    } finally {
      System.setErr(before);
    }
    assertTrue(said.toString(), said.toString().startsWith("bench: " + message));
    assertEquals(1, said.toString().lines().count());
  }

  @Test
  public void defaults() {
    Bench bench = parse();

    assertTrue("medians of at least five rounds", bench.rounds() >= 5);
    assertEquals(0.5, bench.seconds(), 0);
    assertEquals(100, bench.saturatedSeconds());
    assertTrue(bench.wants("saturated/zipf-64k-32"));
  }

  @Test
  public void quick_isShorter() {
    Bench bench = parse("--quick");

    assertEquals(2, bench.rounds());
    assertEquals(50, bench.saturatedSeconds());
    assertTrue(bench.wants("hit/seq-1"));
    assertFalse(bench.wants("saturated/zipf-64k-32"));
    assertEquals("said explicitly", 7, parse("--quick", "--rounds", "7").rounds());
  }

  @Test
  public void only_stagesAndPaths() {
    Bench bench = parse("--quick", "--only", "bypass,hit/seq-1,saturated");

    assertEquals(List.of("seq-1", "pread-64k-8", "pread-4k-1"), bench.loads("bypass"));
    assertEquals(List.of("seq-1"), bench.loads("hit"));
    assertEquals(List.of(), bench.loads("fill"));
    assertTrue(bench.wants("saturated/zipf-64k-32"));
  }

  @Test
  public void badValues_saidInOneLine() {
    assertRefused("Invalid value for option '--rounds'", "--rounds", "0x");
    assertRefused("--rounds: must be from 1 to 100, not 101", "--rounds", "101");
    assertRefused("--seconds: must be from 0.1 to 60, not 0.05", "--seconds", "0.05");
    assertRefused("--only: there is no 'hits'; see --list", "--only", "hits");
    assertRefused("--name: ", "--name", "../x");
    assertRefused("--java: needs --hadoop", "--java", "/jdk");
    assertRefused("--before: cannot be used with --hadoop", "--before", "/x", "--hadoop", "/y");
    assertRefused("--before: nothing is built in /x; run its bench/run --list",
        "--before", "/x");
  }

  @Test
  public void before_everyPatchedOneStandsBesideAsItWas() {
    List<Variant> variants = List.of(Variant.STOCK, Variant.ABSENT, Variant.FROM_SSD);

    assertEquals(variants, parse().compared(variants));
    assertEquals(List.of("stock", "absent", "from SSD", "absent before", "from SSD before"),
        parse("--before", "/x").compared(variants).stream().map(Variant::name).toList());
  }
}
