/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.List;

import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

public class TestVerbUsage {

  @Test
  public void run_noOrUnknownVerb_listsTheVerbs() throws Exception {
    CommandResult none = run();
    assertEquals(-1, none.exitCode());
    assertEquals("Usage: hdfs localcache VERB", none.err().get(0));
    assertEquals(13, none.err().size());
    assertEquals("localcache: unknown verb: stats", run("stats").err().get(0));
    assertEquals(-1, run("-setLocalCache", "on").exitCode());
  }

  @Test
  public void run_wrongArguments_saysWhatWasExpected() throws Exception {
    assertUsage("status: unknown option: --jsno", "status", "--jsno");
    assertUsage("status: expected <datanode_host:ipc_port> or livenodes, got: dn1",
        "status", "dn2:9867", "dn1");
    assertUsage("on: too many arguments: dn1:1 dn2:1", "on", "dn1:1", "dn2:1");
    assertUsage("explain: expected a path or a block id", "explain");
    assertUsage("explain: expected a block id such as blk_1073741825, got: a/b", "explain", "a/b");
    assertUsage("top: --n must be a number from 1 to 1000, got: 0", "top", "--n", "0");
    assertUsage("top: --by must be reads or pages, got: size", "top", "--by", "size");
    assertUsage("top: --n needs a value", "top", "--n");
    assertUsage("clear: expected --path, --block, or whose pages to clear altogether", "clear");
    assertUsage("clear: expected --path or --block, not both",
        "clear", "--path", "/a", "--block", "1");
    assertUsage("clear: too many arguments: livenodes", "clear", "--path", "/a", "livenodes");
    assertUsage("clear: --path is given twice", "clear", "--path", "/a", "--path", "/b");
    assertUsage("trace: expected start, stop or status", "trace");
    assertUsage("trace: expected start, stop or status", "trace", "begin", "dn2:9867");
    assertUsage("set: expected a key and a value", "set");
    assertUsage("set: expected a key and a value", "set", "capacity");
    assertUsage("set: expected <datanode_host:ipc_port> or livenodes, got: dn1",
        "set", "capacity", "1g", "dn1");
    assertUsage("pin: expected a path", "pin");
    assertUsage("pin: expected an absolute path, got: a", "pin", "a");
    assertUsage("pin: expected a path without wildcards, got: /a*", "pin", "/a*");
    assertUsage("pin: --quota must be a number of bytes such as 200g, got: much",
        "pin", "--quota", "much", "/a");
    assertUsage("unpin: expected a path", "unpin");
    assertUsage("warm: expected a path", "warm");
    assertUsage("warm: expected an absolute path, got: a", "warm", "a");
  }

  @Test
  public void blockNames_asOperatorsHaveThem_areRead() throws Exception {
    assertEquals("blk_3", BlockNames.parse("3"));
    assertEquals("blk_3", BlockNames.parse("blk_3"));
    assertEquals("blk_-9223372036854775792", BlockNames.parse("blk_-9223372036854775792_1001"));
    assertEquals("blk_3", BlockNames.withoutPool("BP-1-fe80:0:0-2:blk_3"));
  }

  private static void assertUsage(String first, String... args) throws Exception {
    CommandResult result = run(args);
    assertEquals(-1, result.exitCode());
    assertEquals(List.of(), result.out());
    assertEquals(first, result.err().get(0));
    assertTrue(result.err().get(1).startsWith("Usage: hdfs localcache " + args[0] + " "));
    assertEquals(2, result.err().size());
  }

  private static CommandResult run(String... args) throws Exception {
    return CommandResult.ofVerb(new Configuration(), args);
  }
}
