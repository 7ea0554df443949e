/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestDaemon {

  @Rule
  public final TemporaryFolder directory = new TemporaryFolder();

  private Path log;

  @Before
  public void name() {
    log = directory.getRoot().toPath().resolve("log");
  }

  private Daemon start(String script) throws IOException {
    return Daemon.start("The shell", List.of("sh", "-c", script), log);
  }

  @Test
  public void run_fails_saysTheLastErrorInItsLog() {
    IOException e = assertThrows(IOException.class, () -> Daemon.run("The shell", List.of(
        "sh", "-c", "echo 1 ERROR first; echo 2 ERROR last; echo the end; exit 1"), log));

    assertEquals("The shell failed: 2 ERROR last; its log is " + log, e.getMessage());
  }

  @Test
  public void await_daemonEnds_failsAtOnce() throws Exception {
    try (Daemon daemon = start("exit 0")) {
      IOException e = assertThrows(IOException.class, () -> daemon.await("begin", () -> false));

      assertEquals("The shell has ended; its log is " + log, e.getMessage());
    }
  }

  @Test
  public void await_conditionCannotBeAskedYet_waits() throws Exception {
    try (Daemon daemon = start("echo ready > '" + directory.getRoot() + "/file'; exec sleep 600")) {
      daemon.await("write", () ->
          Files.readString(directory.getRoot().toPath().resolve("file")).equals("ready\n"));

      assertTrue(daemon.process().isAlive());
    }
  }

  @Test
  public void close_daemonMindsTheSignal_endsInOrder() throws Exception {
    Daemon daemon = start("trap 'echo bye; exit' TERM; echo ready; while :; do sleep 0.1; done");
    daemon.await("begin", () -> Files.readString(log).contains("ready"));

    daemon.close();

    assertFalse(daemon.process().isAlive());
    assertEquals("ready\nbye\n", Files.readString(log));
  }
}
