/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.harness.Run;

/**
 * async-profiler in another JVM: samples of CPU time with the kernel's frames where the system
 * allows it, else by a timer of each thread.
 */
public final class Profiler {

  private static final String INTERVAL = "interval=500us";

  private final Path library;
  private final long pid;

  /**
   * @param libraries where async-profiler was unpacked
   * @param pid of the JVM to look at
   */
  public Profiler(Path libraries, long pid) {
    String machine = System.getProperty("os.arch").equals("aarch64") ? "linux-arm64" : "linux-x64";
    this.library = libraries.resolve(machine).resolve("libasyncProfiler.so");
    this.pid = pid;
  }

  /** Begins to sample. @return what is sampled. */
  public String start() throws IOException {
    for (String event : new String[] {"cpu", "ctimer"}) {
      if (tell("start,event=" + event + "," + INTERVAL)) {
        return event;
      }
    }
    throw new IOException("async-profiler cannot be started in process " + pid);
  }

  /**
   * Ends it.
   *
   * @param collapsed file for the stacks, one a line with its number of samples
   * @param flameGraph file for the picture, in HTML
   */
  public void stop(Path collapsed, Path flameGraph) throws IOException {
    tell("dump,collapsed,file=" + collapsed);
    tell("stop,flamegraph,title=" + title(flameGraph) + ",file=" + flameGraph);
    if (!Files.exists(collapsed) || !Files.exists(flameGraph)) {
      throw new IOException("async-profiler has written nothing to " + collapsed);
    }
  }

  private static String title(Path file) {
    return file.getFileName().toString().replace(".html", "");
  }

  /** In quotes, or jcmd would take what is before an equals sign for an option of its own. */
  private boolean tell(String command) throws IOException {
    Run jcmd = Run.of(Map.of(), List.of(
        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), String.valueOf(pid),
        "JVMTI.agent_load", library.toString(), "\"" + command + "\""));
    return jcmd.exit() == 0 && jcmd.out().trim().endsWith("return code: 0");
  }
}
