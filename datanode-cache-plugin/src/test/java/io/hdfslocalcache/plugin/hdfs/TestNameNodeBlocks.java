/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertEquals;

import java.util.List;
import java.util.Map;

import io.hdfslocalcache.plugin.rules.BlockLister;
import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

/** Which NameNodes are asked for the blocks of paths. */
public class TestNameNodeBlocks {

  private static List<String> asked(String... keysAndValues) {
    Configuration conf = new Configuration(false);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return NameNodeBlocks.of(conf, null).stream().map(BlockLister::namespace).toList();
  }

  @Test
  public void defaultIsARouter_isNotAsked() {
    assertEquals(List.of("hdfs://ns1"), asked("fs.defaultFS", "hdfs://router:8888",
        "dfs.nameservices", "ns1", "dfs.ha.namenodes.ns1", "a,b",
        "dfs.namenode.rpc-address.ns1.a", "host1:8020",
        "dfs.namenode.rpc-address.ns1.b", "host2:8020",
        "dfs.client.failover.proxy.provider.ns1",
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider"));
  }

  /** The default of Hadoop 3.3 waits for ever for a NameNode that is stopped. */
  @Test
  public void noTimeout_oneIsSet_thatOfTheClusterStays() {
    String key = "ipc.client.rpc-timeout.ms";
    Map.of("0", 120_000, "7000", 7000).forEach((ofCluster, expected) -> {
      Configuration conf = new Configuration(false);
      conf.set(key, ofCluster);
      assertEquals((int) expected, NameNodeBlocks.impatient(conf).getInt(key, 0));
      assertEquals(ofCluster, conf.get(key));
    });
    assertEquals(120_000, NameNodeBlocks.impatient(new Configuration(false)).getInt(key, 0));
  }

  @Test
  public void defaultIsTheOnlyNameNode_isAsked() {
    assertEquals(List.of("hdfs://host1:8020"), asked("fs.defaultFS", "hdfs://host1:8020"));
  }
}
