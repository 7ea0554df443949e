/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.harness.HadoopJvm;
import io.hdfslocalcache.harness.Run;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.JUnitCore;

/**
 * Reads over a UNIX domain socket need {@code libhadoop.so}, which Hadoop looks for once per JVM.
 * So {@link ShortCircuitReads} runs in its own JVM, and all other tests run without the library.
 */
public class TestShortCircuitReads {

  private static final String LIBRARY_PATH = "native.library.path";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void readsOverADomainSocket_inAJvmWithLibhadoop() throws Exception {
    Path library = Path.of(System.getProperty(LIBRARY_PATH, "missing"), "libhadoop.so");
    assumeTrue("no " + library + " for this machine: not tested", Files.exists(library));
    List<String> command = new ArrayList<>(List.of(
        "env", "-C", folder.getRoot().toString()));
    command.addAll(HadoopJvm.likeThis("-Xmx512m", "-Djava.library.path=" + library.getParent())
        .command(folder.getRoot().toPath(), JUnitCore.class.getName(),
            ShortCircuitReads.class.getName()));
    Run jvm = Run.of(Map.of(), command);
    System.out.println(jvm.out());
    assertEquals(0, jvm.exit());
  }
}
