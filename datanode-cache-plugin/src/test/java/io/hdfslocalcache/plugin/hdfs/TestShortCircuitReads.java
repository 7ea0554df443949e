/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.JUnitCore;

/**
 * Reads over a UNIX domain socket need {@code libhadoop.so}, which Hadoop looks for once in the life
 * of a JVM. So {@link ShortCircuitReads} runs in a JVM of its own, and all other tests without.
 */
public class TestShortCircuitReads {

  private static final String LIBRARY_PATH = "native.library.path";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void readsOverADomainSocket_inAJvmWithLibhadoop() throws Exception {
    Path library = Path.of(System.getProperty(LIBRARY_PATH, "missing"), "libhadoop.so");
    assumeTrue("no " + library + " for this machine: not tested", Files.exists(library));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens")).forEach(command::add);
    command.addAll(List.of("-Xmx512m", "-Djava.net.preferIPv4Stack=true",
        "-Djava.library.path=" + library.getParent(),
        "-cp", System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
        JUnitCore.class.getName(), ShortCircuitReads.class.getName()));
    Path log = folder.newFile("log").toPath();
    Process jvm = new ProcessBuilder(command).directory(folder.getRoot())
        .redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertTrue("still running", jvm.waitFor(5, TimeUnit.MINUTES));
    } finally {
      jvm.destroyForcibly();
      System.out.println(Files.readString(log));
    }
    assertEquals(0, jvm.exitValue());
  }
}
