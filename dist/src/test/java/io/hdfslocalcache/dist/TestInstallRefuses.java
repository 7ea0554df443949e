/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.hdfslocalcache.harness.Run;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What {@code install.sh} refuses: with a line that says why, before it changes anything. */
public final class TestInstallRefuses {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private SmallHost host;
  private Path jar;

  @Before
  public void setUp() throws Exception {
    host = new SmallHost(folder.getRoot().toPath());
    jar = host.home.resolve(SmallHost.JAR);
  }

  @Test
  public void wrongUse_each_exitsWithTwo() throws Exception {
    String home = host.home.toString();
    for (List<String> words : List.of(List.<String>of(), List.of("remove", home),
        List.of("install"), List.of("install", home, home), List.of("--force", "install", home))) {
      Run run = host.bare(words.toArray(new String[0]));
      assertEquals(words + run.out(), 2, run.exit());
      assertEquals(run.out(), 1, run.out().lines().count());
    }
    assertTrue(host.bare("purge", home).out().contains("unknown action: purge"));
    assertEquals(0, host.bare("--help").exit());
  }

  @Test
  public void install_noHadoop_isRefused() throws Exception {
    assertTrue(host.bare("install", "/nowhere").out().contains("/nowhere: no such directory"));
    Run run = host.bare("install", folder.getRoot().toString());
    assertEquals(1, run.exit());
    assertTrue(run.out(), run.out().contains("not a HADOOP_HOME"));
  }

  @Test
  public void install_unknownRelease_isRefused() throws Exception {
    Files.move(jar, jar.resolveSibling("hadoop-hdfs-3.3.6.jar"));
    assertRefused("Hadoop 3.3.6 is not supported by this version of the local cache; it supports"
        + " 3.5.0");
  }

  @Test
  public void install_noJarOrTwo_isRefused() throws Exception {
    Files.copy(jar, jar.resolveSibling("hadoop-hdfs-3.4.3.jar"));
    assertRefused("found several");
    Files.delete(jar.resolveSibling("hadoop-hdfs-3.4.3.jar"));
    Files.delete(jar);
    assertRefused("there is no share/hadoop/hdfs/hadoop-hdfs-VERSION.jar");
  }

  @Test
  public void install_jarOfAVendor_isRefused() throws Exception {
    SmallHost.jar(jar, "a vendor's classes", 0);
    assertRefused("is not the one of Apache Hadoop 3.5.0");
    Files.writeString(jar, "no jar at all");
    assertRefused("cannot be read");
  }

  @Test
  public void install_patchedByHand_isRefused() throws Exception {
    Files.copy(host.archive.resolve("hadoop/hadoop-hdfs-3.5.0.jar"), jar,
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    assertRefused("is the patched jar, but was not put there by install.sh");
  }

  @Test
  public void install_directoryOfAnother_isRefused() throws Exception {
    Path own = Files.createDirectories(host.home.resolve(SmallHost.OWN));
    Files.writeString(own.resolve("file"), "theirs");
    assertRefused("share/hadoop/hdfs-local-cache is not from install.sh");
  }

  @Test
  public void install_profileOrScriptOfAnother_isRefused() throws Exception {
    for (String file : List.of(SmallHost.PROFILE, SmallHost.SCRIPT)) {
      Files.writeString(host.home.resolve(file), "# theirs\n");
      assertRefused(file + " is not the one that was installed");
      Files.delete(host.home.resolve(file));
    }
  }

  @Test
  public void install_oldJava_isRefused() throws Exception {
    host.java("1.8.0_452");
    assertRefused("is Java 8, but the DataNode needs 17");
    host.java("11.0.2");
    assertRefused("is Java 11, but");
    host.environment.put("JAVA_HOME", "/nowhere");
    assertRefused("there is no /nowhere/bin/java");
  }

  @Test
  public void install_javaOfHadoopEnv_isAsked() throws Exception {
    host.java("11.0.2");
    Path env = host.home.resolve("etc/hadoop/hadoop-env.sh");
    Files.createDirectories(env.getParent());
    Files.writeString(env, "# export JAVA_HOME=\nexport JAVA_HOME="
        + host.environment.remove("JAVA_HOME") + "\n");
    assertRefused("is Java 11, but");
  }

  @Test
  public void install_archiveDamaged_isRefused() throws Exception {
    Files.writeString(host.archive.resolve("lib/plugin-1.0.jar"), "cut off");
    assertRefused("its files do not match SHA256SUMS");
  }

  @Test
  public void installOrUninstall_missingPermission_isRefused() throws Exception {
    for (String directory : List.of("share/hadoop", "share/hadoop/hdfs", "libexec/shellprofile.d")) {
      assertRefusedWithout(directory, "install");
    }
    assertEquals(0, host.installSh("install").exit());
    assertRefusedWithout("share/hadoop/hdfs", "uninstall");
    assertEquals(0, host.installSh("status").exit());
  }

  private void assertRefusedWithout(String directory, String action) throws Exception {
    Set<PosixFilePermission> all = PosixFilePermissions.fromString("rwxr-xr-x");
    Path closed = host.home.resolve(directory);
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));
    try {
      Map<String, String> before = Listing.of(host.home);
      Run run = Run.of(host.environment, List.of("bash", "-c", UNPRIVILEGED, "sh",
          host.archive.resolve("install.sh").toString(), action, host.home.toString()));
      assertEquals(run.out(), 1, run.exit());
      assertTrue(run.out(), run.out().contains(directory + ": "));
      assertTrue(run.out(), run.out().contains("may not write there; nothing was changed; run it"
          + " as " + Files.getOwner(closed).getName()));
      assertEquals(before, Listing.of(host.home));
    } finally {
      Files.setPosixFilePermissions(closed, all);
    }
  }

  /** Root may write everywhere, unless it drops its capabilities. */
  private static final String UNPRIVILEGED =
      "if [ \"$(id -u)\" = 0 ]; then exec setpriv --bounding-set=-all --inh-caps=-all -- \"$@\";"
          + " else exec \"$@\"; fi";

  @Test
  public void install_anotherIsAtWork_isRefused() throws Exception {
    Run run = Run.of(host.environment, List.of("flock", host.home.toString(),
        host.archive.resolve("install.sh").toString(), "install", host.home.toString()));
    assertEquals(1, run.exit());
    assertTrue(run.out(), run.out().contains("another install.sh is running there"));
  }

  @Test
  public void uninstall_filesOfAnother_areNotTouched() throws Exception {
    assertEquals(0, host.installSh("install").exit());
    SmallHost.jar(jar, "a vendor's fix", 0);
    assertRefused("uninstall", "is neither the released jar nor the installed one");
    assertRefused("install", "is neither the released jar nor the installed one");
    Files.copy(host.archive.resolve("hadoop/hadoop-hdfs-3.5.0.jar"), jar,
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    Path kept = host.home.resolve(SmallHost.OWN + "/original/hadoop-hdfs-3.5.0.jar");
    Files.writeString(kept, "damaged");
    assertRefused("uninstall", "original/hadoop-hdfs-3.5.0.jar is missing or damaged");
  }

  private void assertRefused(String reason) throws Exception {
    assertRefused("install", reason);
  }

  private void assertRefused(String action, String reason) throws Exception {
    Map<String, String> before = Listing.of(host.home);
    Run run = host.installSh(action);
    assertEquals(run.out(), 1, run.exit());
    assertTrue(run.out(), run.out().contains(reason));
    assertEquals(before, Listing.of(host.home));
  }
}
