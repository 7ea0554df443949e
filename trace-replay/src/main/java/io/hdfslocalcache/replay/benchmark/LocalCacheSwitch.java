/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.io.PrintStream;

import io.hdfslocalcache.admin.LocalCacheCommand;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;

/** Switches the local caches of all live DataNodes by the operator's command. */
final class LocalCacheSwitch {

  private final Configuration conf;
  private final PrintStream out;

  LocalCacheSwitch(Configuration conf, PrintStream out) {
    this.conf = conf;
    this.out = out;
  }

  /** @param state on or off; what the command prints goes to the terminal */
  void set(String state) throws IOException {
    out.println("$ hdfs localcache " + state);
    int exitCode;
    try {
      exitCode = ToolRunner.run(
          new Configuration(conf), new LocalCacheCommand(), new String[] {state});
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
    if (exitCode != 0) {
      throw new BenchmarkException(
          "hdfs localcache " + state + " failed; is the local cache configured on all DataNodes?");
    }
  }
}
