/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import static org.junit.Assert.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.hdfslocalcache.harness.HadoopJvm;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestHadoop {

  @Rule
  public final TemporaryFolder checkout = new TemporaryFolder();

  @Test
  public void before_hasItsOwnJars_andNotTheReleasedOne() throws Exception {
    Path built = checkout.newFolder("bench", "e2e", "target").toPath();
    Files.writeString(built.resolve("bench.options"), """
        -Xmx1g
        "-Dbench.stock=/m2/common.jar:/m2/hadoop-hdfs-3.5.0.jar:/m2/hadoop-hdfs-client-3.5.0.jar"
        "-Dbench.ours=/old/patched.jar:/old/plugin.jar"
        "-Dbench.jvm=--add-opens=a
              --add-opens=b"
        "-Dbench.home=/old/bench/e2e"
        "-Dbench.hadoop=3.5.0"
        -cp
        "/old/bench.jar"
        """);

    HadoopJvm before = Hadoop.patched(Hadoop.options(checkout.getRoot().toPath()));

    assertEquals("/old/bench/e2e/target/web:/old/patched.jar:/old/plugin.jar:/m2/common.jar:"
        + "/m2/hadoop-hdfs-client-3.5.0.jar", before.classPath());
    assertEquals(List.of("--add-opens=a", "--add-opens=b"), before.options());
  }
}
