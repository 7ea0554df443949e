/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.harness.Run;
import io.hdfslocalcache.harness.SiteFile;
import org.junit.Before;
import org.junit.Test;

/** What a DataNode on Java 8 says when the wrong jars were installed by hand. */
public final class TestInstalledWrongJars {

  private static final Path ARCHIVE = Path.of(System.getProperty("distribution"));
  private static final String KEY = "dfs.datanode.block.reader.interceptor.class";
  private static final String CLASS = "io.hdfslocalcache.plugin.hdfs.LocalCacheInterceptor";

  private final Path directory = Path.of("target/wrong-jars").toAbsolutePath();
  private final Path home = directory.resolve("hadoop");
  private InstalledTree tree;

  @Before
  public void setUp() throws Exception {
    tree = InstalledTree.alone(directory, System.getProperty("hadoop.line.3.3"), "8");
    Run install = tree.run(ARCHIVE + "/install.sh install $HADOOP_HOME");
    assertEquals(install.out(), 0, install.exit());
    new InstalledConf(directory, 1).configure(home.resolve("etc/hadoop"), 1);
    SiteFile.write(home.resolve("etc/hadoop/local-cache-site.xml"), Map.of(KEY, CLASS).entrySet(),
        "");
  }

  @Test
  public void start_jarsForJava17_saysWhichToInstall() throws Exception {
    putIn("");
    assertSays("its jars are for a newer Java than 1.8.");
  }

  @Test
  public void start_oneJarForJava17_saysSo() throws Exception {
    putIn("rate-limiter");
    assertSays("its jars are for a newer Java than 1.8.");
  }

  @Test
  public void start_jarsOfTwoKinds_saysThatTheyDoNotBelongTogether() throws Exception {
    putIn("alluxio-shaded");
    assertSays("its jars do not belong together: install all of lib, or all of lib-java8");
  }

  /** Replaces the jars for Java 8 whose names begin like this by those for Java 17. */
  private void putIn(String beginning) throws Exception {
    List<Path> jars;
    try (var all = Files.list(ARCHIVE.resolve("lib"))) {
      jars = all.filter(jar -> jar.getFileName().toString().startsWith(beginning)).toList();
    }
    for (Path jar : jars) {
      Files.copy(jar, home.resolve(SmallHost.OWN + "/lib").resolve(jar.getFileName()),
          StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private void assertSays(String what) throws Exception {
    Run run = tree.run("timeout 60 hdfs datanode");
    assertEquals(run.out(), 1, run.exit());
    assertTrue(run.out(), run.out().contains(
        "java.io.IOException: " + KEY + " = " + CLASS + ": " + what));
  }
}
