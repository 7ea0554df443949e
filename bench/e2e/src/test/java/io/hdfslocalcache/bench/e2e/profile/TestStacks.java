/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.profile;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestStacks {

  private static final String RUN = "org/apache/hadoop/hdfs/server/datanode/DataXceiver.run";

  @Rule
  public final TemporaryFolder directory = new TemporaryFolder();

  @Test
  public void samples_ofServingThreadsOnly() throws IOException {
    Path file = directory.newFile().toPath();
    Files.writeString(file, RUN + ";a/B.c;a/B.c;sendfile 5\n"
        + RUN + ";a/B.c 2\n"
        + "start_thread;CompileBroker::compiler_thread_loop;C2Compiler::compile 100\n"
        + "java/lang/Thread.run;other/Thing.run 3\n");

    Stacks stacks = Stacks.read(file);

    assertEquals(10, stacks.all());
    assertEquals(7, stacks.serving());
    assertEquals("counted once a stack", Long.valueOf(7), stacks.inclusive().get("a/B.c"));
    assertNull("no Java", stacks.inclusive().get("sendfile"));
    assertEquals(Long.valueOf(5), stacks.self().get("sendfile"));
    assertEquals(Long.valueOf(2), stacks.self().get("a/B.c"));
  }
}
