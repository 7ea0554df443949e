/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import java.io.IOException;
import java.time.Duration;

import io.hdfslocalcache.replay.demo.Progress.LiveView;
import io.hdfslocalcache.replay.operator.AdminCommand;
import io.hdfslocalcache.replay.operator.DataNodeMetrics.Counters;
import io.hdfslocalcache.replay.text.Text;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.tools.DFSAdmin;

/** Switches the local cache off and on again with the operator's command, while clients read. */
final class SwitchStep {

  private static final int ATTEMPTS = 20;

  private final DemoContext demo;
  private final Configuration conf;
  private final LiveView view;

  SwitchStep(DemoContext demo, Configuration conf, LiveView view) {
    this.demo = demo;
    this.conf = conf;
    this.view = view;
  }

  /**
   * Switches off for some time and then on.
   *
   * @throws IOException if the switch does not do what it says
   */
  void run(Workload workload, Duration off) throws IOException {
    admin("-getLocalCache");
    admin("-setLocalCache", "off");
    DemoContext.expect(!demo.metrics().fresh().isOn(), "switched off, but still on");
    Counters before = lastHitIsOver();
    view.watch(workload, off);
    Counters meanwhile = demo.metrics().fresh().since(before);
    demo.progress().say("  while off: %s reads, %s from the SSD, %s from the data disk; "
            + "%s on the SSD, waiting", Text.count(meanwhile.reads()),
        Text.bytes(meanwhile.bytesFromSsd()), Text.bytes(meanwhile.bytesFromDisk()),
        Text.count(demo.pages().count(), "page"));
    DemoContext.expect(meanwhile.bytesFromSsd() == 0, "switched off, but the SSD still serves");
    admin("-getLocalCache");
    admin("-setLocalCache", "on");
    DemoContext.expect(demo.metrics().fresh().isOn(), "switched on, but still off");
  }

  private void admin(String... args) throws IOException {
    AdminCommand dfsAdmin = new AdminCommand("hdfs dfsadmin", DFSAdmin::new);
    int exitCode = dfsAdmin.run(conf, demo.progress()::say, args);
    DemoContext.expect(exitCode == 0,
        dfsAdmin.shown() + " " + String.join(" ", args) + ": exit code " + exitCode);
  }

  /** A read in progress ends with the page it is at, and is counted when its client is done. */
  private Counters lastHitIsOver() throws IOException {
    Counters last = demo.metrics().now();
    for (int i = 0; i < ATTEMPTS; i++) {
      Counters now = demo.metrics().fresh();
      if (now.bytesFromSsd() == last.bytesFromSsd()) {
        return now;
      }
      last = now;
    }
    throw new IOException("switched off, but the SSD still serves");
  }
}
