/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.List;

import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

/** The verbs against servers that do not know them. */
public class TestOtherServers {
  private final Configuration conf = new Configuration();

  @Test
  public void status_olderPlugin_saysSo() throws Exception {
    // The exact answer of the first version of the plugin.
    String old = "expected get, set on or set off, got: status";
    try (StandIn server = StandIn.answering(conf, -1, old)) {
      CommandResult.ofVerb(conf, "status", server.address()).assertFailed(server.address()
          + ": its local cache is older than this command and does not know status");
      CommandResult.ofVerb(conf, "clear", server.address()).assertFailed(server.address()
          + ": its local cache is older than this command and does not know clear");
    }
  }

  @Test
  public void status_notNormal_comesFirstAndHasItsExitCode() throws Exception {
    String restoring =
        "{\"condition\":\"restoring\",\"conditionDetail\":\"34 % (8 s)\",\"normal\":false,\"on\":true}";
    try (StandIn server = StandIn.answering(conf, 0, restoring)) {
      for (String option : new String[] {"--json", "--summary"}) {
        assertEquals(3, CommandResult.ofVerb(conf, "status", option, server.address()).exitCode());
      }
      CommandResult status = CommandResult.ofVerb(conf, "status", server.address());
      assertEquals(3, status.exitCode());
      assertEquals(server.address() + ": restoring 34 % (8 s); on", status.out().get(0));
      CommandResult.ofVerb(conf, "status", "--wait-for", "ready", "--timeout", "1s",
          server.address()).assertFailed(server.address()
          + ": is not ready after 1 s: restoring 34 % (8 s); on");
      assertEquals(List.of("1 DataNode: 1 restoring, 0 without an answer",
          "  restoring: " + server.address()), CommandResult.ofVerb(conf, "status", "--summary",
              server.address()).out().stream().filter(line -> line.contains("restoring")).toList());
    }
  }

  @Test
  public void waitFor_dataNodeWithoutAnSsd_failsAtOnce() throws Exception {
    String none = "{\"condition\":\"no-ssd\",\"normal\":false,\"on\":true}";
    try (StandIn server = StandIn.answering(conf, 0, none)) {
      CommandResult.ofVerb(conf, "status", "--wait-for", "ready", "--timeout", "5s",
          server.address()).assertFailed(server.address() + ": is not ready: no-ssd; on");
    }
  }

  @Test
  public void waitFor_slowerDataNodeBefore_timeIsThatOfTheAnswer() throws Exception {
    String normal = "{\"condition\":\"normal\",\"normal\":true,\"on\":true}";
    try (StandIn slow = StandIn.answering(conf, 0, normal, 8000);
        StandIn fast = StandIn.answering(conf, 0, normal)) {
      List<String> ready = CommandResult.ofVerb(conf, "status", "--wait-for", "ready",
          slow.address(), fast.address()).out();
      assertTrue(ready.toString(),
          ready.get(0).startsWith(slow.address() + ": normal; on (after "));
      assertTrue(ready.toString(),
          ready.get(1).matches(fast.address() + ": normal; on \\(after [0-7] s\\)"));
    }
  }

  @Test
  public void status_refusal_isPassedOn() throws Exception {
    try (StandIn server = StandIn.answering(conf, -1, "not\n now")) {
      CommandResult.ofVerb(conf, "status", server.address())
          .assertFailed(server.address() + ": not now");
    }
  }

  @Test
  public void status_noJson_fails() throws Exception {
    try (StandIn server = StandIn.answering(conf, 0, "on {")) {
      CommandResult.ofVerb(conf, "status", server.address())
          .assertFailed(server.address() + ": its answer is not JSON: on {");
    }
  }
}
