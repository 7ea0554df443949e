/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.admin.FileBlocks.FileBlock;
import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

public class TestVerbUsage {

  @Test
  public void run_noOrUnknownVerb_listsTheVerbs() throws Exception {
    CommandResult none = run();
    assertEquals(-1, none.exitCode());
    assertEquals("Usage: hdfs localcache VERB", none.err().get(0));
    assertEquals(List.of(), none.out());
    String usage = "Usage: hdfs localcache VERB; see hdfs localcache --help";
    assertWrong("localcache: unknown verb: stats", usage, "stats");
    assertWrong("localcache: unknown verb: -setLocalCache", usage, "-setLocalCache", "on");
    assertWrong("localcache: unknown verb: --json", usage, "--json", "status");
    assertWrong("help: unknown verb: stats",
        "Usage: hdfs localcache help [-h] [VERB]; see hdfs localcache help --help",
        "help", "stats");
  }

  @Test
  public void run_wrongArguments_saysWhatWasExpected() throws Exception {
    assertUsage("status: unknown option: --jsno", "status", "--jsno");
    assertUsage("set: unknown option: --x", "set", "capacity", "1g", "--x");
    assertUsage("status: --json is given twice", "status", "--json", "--json");
    assertUsage("status: expected <datanode_host:ipc_port> or livenodes, got: dn1",
        "status", "dn2:9867", "dn1");
    assertUsage("status: expected <datanode_host:ipc_port> or livenodes, got: http://dn:9867/foo",
        "status", "http://dn:9867/foo");
    assertUsage("status: expected livenodes alone, got: dn1:9867 livenodes dn2:9867",
        "status", "dn1:9867", "livenodes", "dn2:9867");
    assertUsage("status: --timeout needs --summary or --wait-for",
        "status", "--timeout", "5s", "dn1:9867");
    assertUsage("on: expected <datanode_host:ipc_port> or livenodes, got: dn2",
        "on", "dn1:1", "dn2");
    assertUsage("explain: expected PATH|BLOCK", "explain");
    for (String target : List.of("a/b", "://x", "hdfs://")) {
      assertUsage("explain: expected an absolute path, or a block id such as blk_1073741825, got: "
          + target, "explain", target);
    }
    assertUsage("top: --n must be a number from 1 to 1000, got: 0", "top", "--n", "0");
    assertUsage("top: --by must be reads or pages, got: size", "top", "--by", "size");
    assertUsage("top: --n needs a value", "top", "--n");
    assertUsage("top: Invalid value for option '--n': expected a number, got: ten",
        "top", "--n", "ten");
    assertUsage("clear: expected --path, --block, or the DataNodes to clear", "clear");
    assertUsage("clear: expected --path or --block, not both",
        "clear", "--path", "/a", "--block", "1");
    assertUsage("clear: expected no DATANODES beside --path or --block, got: livenodes",
        "clear", "--path", "/a", "livenodes");
    assertUsage("clear: --path is given twice", "clear", "--path", "/a", "--path", "/b");
    assertUsage("trace: expected start|stop|status", "trace");
    assertUsage("trace: expected start, stop or status", "trace", "begin", "dn2:9867");
    assertUsage("trace: --sample and --anonymous need start", "trace", "stop", "--anonymous");
    assertUsage("trace: --sample must be a number above 0, at most 1, got: 1.5",
        "trace", "start", "--sample", "1.5");
    assertUsage("trace: --sample must be a number above 0, at most 1, got: all",
        "trace", "start", "--sample", "all");
    assertUsage("set: expected KEY", "set");
    assertUsage("set: expected VALUE", "set", "capacity");
    assertUsage("set: expected VALUE before dn1:9867", "set", "capacity", "dn1:9867");
    assertUsage("set: expected VALUE before livenodes", "set", "capacity", "livenodes");
    assertUsage("status: either --summary or --wait-for",
        "status", "--summary", "--wait-for", "ready");
    assertUsage("explain: too many arguments: /b /c", "explain", "/a", "/b", "/c");
    assertUsage("set: expected <datanode_host:ipc_port> or livenodes, got: dn1",
        "set", "capacity", "1g", "dn1");
    assertUsage("pin: expected PATH", "pin");
    assertUsage("pin: expected an absolute path, got: a", "pin", "a");
    assertUsage("pin: expected an absolute path, got: 1://a", "pin", "1://a");
    assertUsage("pin: expected a path without wildcards, got: /a*", "pin", "/a*");
    assertUsage("pin: --quota must be a number of bytes such as 200g, got: much",
        "pin", "--quota", "much", "/a");
    assertUsage("unpin: expected PATH", "unpin");
    assertUsage("ssd: expected add|drain|remove|replace", "ssd");
    assertUsage("ssd: expected PATH", "ssd", "drain");
    assertUsage("ssd: expected DATANODES", "ssd", "drain", "/ssd/0");
    assertUsage("ssd: expected add, drain, remove or replace", "ssd", "eject", "/ssd/0", "dn1:1");
    assertUsage("ssd: expected an absolute path, got: ssd0", "ssd", "add", "ssd0", "dn1:1");
    assertUsage("ssd: expected an absolute path, got: dn1:1", "ssd", "drain", "dn1:1");
    for (String[] args : new String[][] {{"warm"}, {"explain"}, {"clear", "--path"}, {"pin"},
        {"unpin"}}) {
      List<String> all = new ArrayList<>(List.of(args));
      all.add("//a/b");
      assertUsage(args[0] + ": expected an absolute path that begins with one /, got: //a/b",
          all.toArray(String[]::new));
    }
    assertUsage("warm: expected PATH", "warm");
    assertUsage("warm: expected an absolute path, got: a", "warm", "a");
    for (String time : List.of("0", "5x", "25h")) {
      assertUsage("status: Invalid value for option '--timeout': expected a time of at most a day, "
          + "such as 90s or 5m, got: " + time, "status", "--timeout", time);
    }
  }

  @Test
  public void blockNames_asOperatorsHaveThem_areRead() throws Exception {
    assertEquals("blk_3", FileBlock.parse("3"));
    assertEquals("blk_3", FileBlock.parse("blk_3"));
    assertEquals("blk_-9223372036854775792", FileBlock.parse("blk_-9223372036854775792_1001"));
    assertEquals("blk_3", FileBlock.withoutPool("BP-1-fe80:0:0-2:blk_3"));
  }

  private static void assertUsage(String first, String... args) throws Exception {
    CommandResult result = run(args);
    assertEquals(-1, result.exitCode());
    assertEquals(List.of(), result.out());
    assertEquals(first, result.err().get(0));
    String usage = result.err().get(1);
    assertTrue(usage, usage.startsWith("Usage: hdfs localcache " + args[0] + " "));
    assertTrue(usage, usage.endsWith("; see hdfs localcache " + args[0] + " --help"));
    assertEquals(2, result.err().size());
  }

  private static void assertWrong(String wrong, String usage, String... args) throws Exception {
    assertEquals(new CommandResult(-1, List.of(), List.of(wrong, usage)), run(args));
  }

  private static CommandResult run(String... args) throws Exception {
    return CommandResult.ofVerb(new Configuration(), args);
  }
}
