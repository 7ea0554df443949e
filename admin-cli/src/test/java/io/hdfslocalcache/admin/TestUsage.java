/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertEquals;

import java.util.List;

import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

public class TestUsage {
  private static final String SET_USAGE =
      "Usage: hdfs dfsadmin [-setLocalCache <on|off> [<datanode_host:ipc_port>|livenodes]]";
  private static final String GET_USAGE =
      "Usage: hdfs dfsadmin [-getLocalCache [<datanode_host:ipc_port>|livenodes]]";

  @Test
  public void run_noVerb_listsTheVerbs() throws Exception {
    List<String> verbs = List.of(
        "Usage: hadoop io.hdfslocalcache.admin.LocalCacheAdmin",
        "\t[-setLocalCache <on|off> [<datanode_host:ipc_port>|livenodes]]",
        "\t[-getLocalCache [<datanode_host:ipc_port>|livenodes]]");
    assertWrongUsage(verbs);
    assertWrongUsage(verbs, "-switchLocalCache", "on");
  }

  @Test
  public void set_noState_isWrongUsage() throws Exception {
    assertWrongUsage(List.of("setLocalCache: expected on or off", SET_USAGE), "-setLocalCache");
  }

  @Test
  public void set_neitherOnNorOff_isWrongUsage() throws Exception {
    assertWrongUsage(List.of("setLocalCache: expected on or off, got: maybe", SET_USAGE),
        "-setLocalCache", "maybe");
    assertWrongUsage(List.of("setLocalCache: expected on or off, got: ON", SET_USAGE),
        "-setLocalCache", "ON", "livenodes");
  }

  @Test
  public void set_twoTargets_isWrongUsage() throws Exception {
    assertWrongUsage(List.of("setLocalCache: too many arguments: dn1:9867 dn2:9867", SET_USAGE),
        "-setLocalCache", "on", "dn1:9867", "dn2:9867");
  }

  @Test
  public void get_twoTargets_isWrongUsage() throws Exception {
    assertWrongUsage(List.of("getLocalCache: too many arguments: livenodes dn2:9867", GET_USAGE),
        "-getLocalCache", "livenodes", "dn2:9867");
  }

  @Test
  public void get_malformedAddress_isWrongUsage() throws Exception {
    for (String address
        : List.of("dn1", "dn1:", "dn1:ipc", "dn1:99999", ":9867", "", "LIVENODES", "dn 1:9867")) {
      assertWrongUsage(List.of(
          "getLocalCache: expected <datanode_host:ipc_port> or livenodes, got: " + address,
          GET_USAGE), "-getLocalCache", address);
    }
  }

  private static void assertWrongUsage(List<String> err, String... args) throws Exception {
    assertEquals(new CommandResult(-1, List.of(), err),
        CommandResult.of(new Configuration(), args));
  }
}
