/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.harness.Run;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The shell profile, with stand-ins for the functions of Hadoop's scripts. */
public final class TestShellProfile {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private SmallHost host;

  @Before
  public void setUp() throws Exception {
    host = new SmallHost(folder.getRoot().toPath());
    HadoopTree.addScripts(host.home);
    Files.createDirectories(host.home.resolve("etc/hadoop"));
    Files.createDirectories(host.home.resolve("share/hadoop/common/lib"));
  }

  @Test
  public void hdfs_installed_hasTheLocalCacheAndItsOwnJars() throws Exception {
    String before = hdfs("classpath").out().strip();
    assertEquals(0, host.installSh("install").exit());
    List<String> entries = List.of(hdfs("classpath").out().strip().split(":"));
    assertTrue(entries.toString(),
        entries.contains(host.home + "/share/hadoop/hdfs-local-cache/lib/*"));
    // Their profile comes after ours by name, and must not be taken for one already added.
    for (String theirs : before.split(":")) {
      assertTrue(theirs + " is missing in " + entries, entries.contains(theirs));
    }
    assertEquals("nothing else", before.split(":").length + 1, entries.size());
  }

  @Test
  public void hdfs_profilesAreALink_hasTheLocalCache() throws Exception {
    Path profiles = host.home.resolve("libexec/shellprofile.d");
    Path directory = folder.getRoot().toPath().resolve("profiles");
    Files.move(profiles, directory);
    Files.createSymbolicLink(profiles, directory);
    assertEquals(0, host.installSh("install").exit());
    String path = hdfs("classpath").out();
    assertTrue(path, path.contains(host.home + "/share/hadoop/hdfs-local-cache/lib/*"));
  }

  @Test
  public void hadoop_installed_hasNothingMore() throws Exception {
    Path hadoop = host.home.resolve("bin/hadoop");
    Files.createSymbolicLink(hadoop, Path.of("hdfs"));
    String before = run(hadoop, "classpath").out();
    assertEquals(0, host.installSh("install").exit());
    assertEquals(before, run(hadoop, "classpath").out());
    assertFalse(run(hadoop).out().contains("localcache"));
  }

  @Test
  public void localcache_installed_runsTheCommand() throws Exception {
    assertEquals(0, host.installSh("install").exit());
    assertTrue(hdfs().out(), hdfs().out().contains("localcache     admin    look into"));
    fakeJava();
    Run run = hdfs("localcache", "status", "--json");
    assertEquals(0, run.exit());
    assertTrue(run.out(),
        run.out().endsWith("io.hdfslocalcache.admin.LocalCacheCommand status --json\n"));
  }

  @Test
  public void localcache_installationMovedOrLinked_findsItsJars() throws Exception {
    assertEquals(0, host.installSh("install").exit());
    Path moved = folder.getRoot().toPath().resolve("moved to");
    Files.move(host.home, moved);
    Path link = Files.createSymbolicLink(folder.getRoot().toPath().resolve("current"), moved);
    // Like Hadoop's own scripts, which read the profiles from here. The link may be changed to
    // another installation while a DataNode runs.
    host.environment.put("HADOOP_LIBEXEC_DIR", link.resolve("libexec").toString());
    String path = run(link.resolve("bin/hdfs"), "classpath").out();
    assertTrue(path, path.contains(moved + "/share/hadoop/hdfs-local-cache/lib/*"));
  }

  /** The DataNode writes to its log; the operator who starts it looks at the terminal. */
  @Test
  public void startOfADataNode_wrongConfiguration_isSaidOnTheTerminal() throws Exception {
    assertEquals(0, host.installSh("install").exit());
    host.standIn("java", "[[ $* != *check-config ]] || { echo 'A warning.'; "
        + "echo -e 'KEY = ture: must be true or false\\nSIZE = x: must be y' >&2; exit 1; }\n");
    host.environment.remove("JAVA_HOME");
    String said = "WARNING: the local cache needs attention. "
        + "A wrong configuration stops the DataNode, a broken SSD does not:\n"
        + "KEY = ture: must be true or false\nSIZE = x: must be y\n";
    assertEquals(said, hdfs("--daemon", "start", "datanode").out());
    for (String[] other : new String[][] {{"--daemon", "start", "namenode"}, {"datanode"}}) {
      assertEquals("", hdfs(other).out());
    }
    host.standIn("java", "echo 'A warning.'\n");
    assertEquals("nothing stops it", "", hdfs("--daemon", "start", "datanode").out());
  }

  /** Values in the configuration may name it: ${hadoop.log.dir}. */
  @Test
  public void startOfADataNode_checkKnowsTheDirectoryOfLogs() throws Exception {
    assertEquals(0, host.installSh("install").exit());
    host.environment.put("HADOOP_LOG_DIR", host.home.resolve("my logs").toString());
    host.standIn("java", "[[ $* != *check-config || $3 == '-Dhadoop.log.dir='*'/my logs' ]] "
        + "|| { echo \"no directory in $*\" >&2; exit 1; }\n");
    host.environment.remove("JAVA_HOME");
    assertEquals("", hdfs("--daemon", "start", "datanode").out());
  }

  /** The JVM gets the system's texts of errors in the language of its environment. */
  @Test
  public void datanode_otherLanguage_hasEnglishErrors_othersKeepTheirs() throws Exception {
    assertEquals(0, host.installSh("install").exit());
    host.standIn("java", "echo \"${LC_ALL-none} $LC_MESSAGES $LC_CTYPE $LANG\"\n");
    host.environment.remove("JAVA_HOME");
    host.environment.put("LC_ALL", "C.UTF-8");
    // LC_ALL has hidden them.
    for (String hidden : new String[] {"LC_MESSAGES", "LC_CTYPE", "LANG"}) {
      host.environment.put(hidden, "POSIX");
    }
    assertEquals("none C C.UTF-8 C.UTF-8\n", hdfs("datanode").out());
    assertEquals("C.UTF-8 POSIX POSIX POSIX\n", hdfs("namenode").out());
  }

  /** Neither the start nor who reads its output waits for the end of the check. */
  @Test
  public void startOfADataNode_checkHangsInAnSsd_goesOn() throws Exception {
    assertEquals(0, host.installSh("install").exit());
    host.standIn("java", "[[ $* == *check-config ]] || exit 0\n" + host.hang());
    host.environment.remove("JAVA_HOME");
    host.environment.put("HADOOP_IDENT_STRING", "dn");
    Run run = run(Path.of("bash"), "-c", "\"$0\" --daemon start datanode 2>&1 | cat",
        host.home.resolve("bin/hdfs").toString());
    assertTrue("waited for the check", host.endHung());
    assertEquals("WARNING: the local cache was not checked within 15 s. An SSD may hang, or the host is busy.\n"
        + "/ssd0 does not answer\n", run.out());
    assertTrue("not started", Files.exists(host.home.resolve("pids/dn-datanode.pid")));
  }

  /** Hadoop adds HADOOP_CLASSPATH after the profiles have had their say. */
  @Test
  public void startOfADataNode_limiterOnTheUsersClassPath_isFoundByTheCheck() throws Exception {
    assertEquals(0, host.installSh("install").exit());
    host.environment.put("HADOOP_CLASSPATH", "/theirs/limiter.jar:/theirs/lib/*");
    host.standIn("java", "[[ $* != *check-config || $2 == *:/theirs/limiter.jar:/theirs/lib/\\* ]] "
        + "|| { echo \"no limiter in $2\" >&2; exit 1; }\n");
    host.environment.remove("JAVA_HOME");
    assertEquals("", hdfs("--daemon", "start", "datanode").out());
  }

  @Test
  public void localcache_uninstalled_isNoCommand() throws Exception {
    String before = hdfs("classpath").out();
    assertEquals(0, host.installSh("install").exit());
    assertEquals(0, host.installSh("uninstall").exit());
    assertEquals(before, hdfs("classpath").out());
    Run run = hdfs("localcache", "status");
    assertEquals(1, run.exit());
    assertTrue(run.out(), run.out().contains("localcache is not COMMAND"));
  }

  private void fakeJava() throws Exception {
    host.standIn("java", "echo \"$@\"\n");
    host.environment.remove("JAVA_HOME");
  }

  private Run hdfs(String... words) throws Exception {
    return run(host.home.resolve("bin/hdfs"), words);
  }

  private Run run(Path command, String... words) throws Exception {
    List<String> line = new ArrayList<>(List.of(command.toString()));
    line.addAll(List.of(words));
    return Run.of(host.environment, line);
  }
}
