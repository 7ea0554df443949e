/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import java.io.IOException;
import java.time.Duration;

import io.hdfslocalcache.replay.demo.reading.Workload;
import io.hdfslocalcache.replay.demo.watch.Counters;
import io.hdfslocalcache.replay.text.Text;

/** Switches the local cache off and on again with the operator's command, while clients read. */
final class SwitchStep {

  private static final int ATTEMPTS = 20;

  private final DemoContext demo;
  private final DfsAdmin admin;
  private final LiveView view;

  SwitchStep(DemoContext demo, DfsAdmin admin, LiveView view) {
    this.demo = demo;
    this.admin = admin;
    this.view = view;
  }

  /**
   * Switches off for some time and then on.
   *
   * @throws DemoException if the switch does not do what it says
   */
  void run(Workload workload, Duration off) throws IOException {
    admin.run("-getLocalCache");
    admin.run("-setLocalCache", "off");
    DemoContext.expect(!demo.metrics().fresh().isOn(), "switched off, but still on");
    Counters before = lastHitIsOver();
    view.watch(workload, off);
    Counters meanwhile = demo.metrics().fresh().since(before);
    demo.progress().say("  while off: %s reads, %s from the SSD, %s from the data disk; "
            + "%s on the SSD, waiting", Text.count(meanwhile.reads()),
        Text.bytes(meanwhile.bytesFromSsd()), Text.bytes(meanwhile.bytesFromDisk()),
        Text.count(demo.pages().count(), "page"));
    DemoContext.expect(meanwhile.bytesFromSsd() == 0, "switched off, but the SSD still serves");
    admin.run("-getLocalCache");
    admin.run("-setLocalCache", "on");
    DemoContext.expect(demo.metrics().fresh().isOn(), "switched on, but still off");
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
    throw new DemoException("switched off, but the SSD still serves");
  }
}
