/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.harness.Run;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What {@code install.sh} does when nothing goes wrong. */
public final class TestInstall {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private SmallHost host;
  private Map<String, String> untouched;

  @Before
  public void setUp() throws Exception {
    host = new SmallHost(folder.getRoot().toPath());
    untouched = Listing.of(host.home);
  }

  @Test
  public void install_released_putsInTheArchivesFiles() throws Exception {
    assertDone(host.installSh("install"));
    assertSame("hadoop/hadoop-hdfs-3.5.0.jar", SmallHost.JAR);
    assertSame("shellprofile.d/hdfs-localcache.sh", SmallHost.PROFILE);
    assertSame("lib/plugin-1.0.jar", SmallHost.OWN + "/lib/plugin-1.0.jar");
    assertSame("lib/cli-1.0.jar", SmallHost.OWN + "/lib/cli-1.0.jar");
    assertSame("hadoop/webapps-3.5.0/datanode.html", SmallHost.PAGE);
    assertSame("webapps/local-cache.js", SmallHost.SCRIPT);
    assertEquals("mode of the jar", untouched.get(SmallHost.JAR).split(" ")[0],
        Listing.of(host.home).get(SmallHost.JAR).split(" ")[0]);
  }

  @Test
  public void install_configurationThatStopsTheStart_isTold() throws Exception {
    Path hdfs = host.home.resolve("bin/hdfs");
    Files.createDirectories(hdfs.getParent());
    Files.writeString(hdfs, "#!/usr/bin/env bash\necho 'A warning.'\n"
        + "echo -e \"$* says: KEY = x: must be y\\nSIZE = z: must be y\" >&2\nexit 1\n");
    assertTrue(hdfs.toFile().setExecutable(true));
    for (String what : List.of("to be installed", "installed already")) {
      Run run = host.installSh("install");
      assertDone(run);
      assertTrue(what + ": " + run.out(), run.out().contains("before the restart, fix the "
          + "configuration:\nlocalcache check-config says: KEY = x: must be y\nSIZE = z: must be y\n"));
    }
    assertEquals(0, host.installSh("status").exit());
  }

  /** Hadoop's own script looks for everything where the variables say. */
  @Test
  public void install_variablesOfAnotherHadoop_configurationOfThisOneIsChecked() throws Exception {
    SmallHost.script(host.home.resolve("bin/hdfs"),
        "echo \"$HADOOP_HOME ${HADOOP_LIBEXEC_DIR-no} ${HADOOP_COMMON_HOME-no}\" >&2\nexit 1\n");
    for (String other : List.of("HADOOP_HOME", "HADOOP_LIBEXEC_DIR", "HADOOP_COMMON_HOME")) {
      host.environment.put(other, "/another");
    }
    Run run = host.installSh("install");
    assertDone(run);
    assertTrue(run.out(), run.out().contains("configuration:\n" + host.home + " no no\n"));
  }

  @Test
  public void install_warningsOfTheConfiguration_areTold() throws Exception {
    Path hdfs = host.home.resolve("bin/hdfs");
    Files.createDirectories(hdfs.getParent());
    String verdict = "echo 'The DataNode starts.'\necho 'noise of a JVM' >&2\n";
    Files.writeString(hdfs,
        "#!/usr/bin/env bash\necho \"$* says: memory.sise is no key\"\n" + verdict);
    assertTrue(hdfs.toFile().setExecutable(true));
    Run run = host.installSh("install");
    assertDone(run);
    assertTrue(run.out(), run.out().endsWith("\ninstall.sh: check-config says of the "
        + "configuration: localcache check-config says: memory.sise is no key\n"));
    Files.writeString(hdfs, "#!/usr/bin/env bash\n" + verdict);
    run = host.installSh("install");
    assertDone(run);
    assertTrue(run.out(), run.out().endsWith("is installed already.\n"));
  }

  @Test
  public void install_checkHangsInAnSsd_isDoneAndLocksOutNobody() throws Exception {
    SmallHost.script(host.home.resolve("bin/hdfs"), host.hang());
    Run run = host.installSh("install");
    Run status = host.installSh("status");
    assertTrue("waited for the check", host.endHung());
    assertDone(run);
    assertTrue(run.out(), run.out().endsWith("\ninstall.sh: the configuration was not checked "
        + "within 15 s. An SSD may hang, or the host is busy.\n/ssd0 does not answer\n"));
    assertDone(status);
  }

  @Test
  public void install_hadoopThatRunsOnJava8_putsInTheJarsForIt() throws Exception {
    host.olderHadoop();
    Map<String, String> before = Listing.of(host.home);
    host.java("1.8.0_452");
    assertDone(host.installSh("install"));
    assertSame("lib-java8/plugin-1.0.jar", SmallHost.OWN + "/lib/plugin-1.0.jar");
    assertFalse(Files.exists(host.home.resolve(SmallHost.OWN + "/lib/cli-1.0.jar")));
    assertDone(host.installSh("uninstall"));
    assertEquals(before, Listing.of(host.home));
  }

  @Test
  public void uninstall_withoutHardLinks_leavesEverythingAsItWas() throws Exception {
    host.standIn("ln", "exit 1\n");
    assertDone(host.installSh("install"));
    assertDone(host.installSh("uninstall"));
    assertEquals(untouched, Listing.of(host.home));
  }

  @Test
  public void uninstall_profilesDirectoryWasMissing_isMissingAgain() throws Exception {
    SmallHost.delete(host.home.resolve("libexec/shellprofile.d"));
    host.age();
    untouched = Listing.of(host.home);
    assertDone(host.installSh("install"));
    assertTrue(Files.exists(host.home.resolve(SmallHost.PROFILE)));
    assertDone(host.installSh("uninstall"));
    assertEquals(untouched, Listing.of(host.home));
  }

  @Test
  public void uninstall_fileOfAnotherInTheMeantime_stays() throws Exception {
    assertDone(host.installSh("install"));
    List<String> theirs = List.of("libexec/shellprofile.d/theirs.sh", SmallHost.OWN + "/theirs.txt");
    for (String file : theirs) {
      Files.writeString(host.home.resolve(file), "# theirs\n");
    }
    assertDone(host.installSh("uninstall"));
    for (String file : theirs) {
      assertTrue(file, Files.exists(host.home.resolve(file)));
    }
  }

  @Test
  public void uninstall_notInstalled_changesNothing() throws Exception {
    Run run = host.installSh("uninstall");
    assertDone(run);
    assertTrue(run.out(), run.out().contains("is not installed"));
    assertEquals(untouched, Listing.of(host.home));
  }

  @Test
  public void install_again_changesNothing() throws Exception {
    assertDone(host.installSh("install"));
    Map<String, String> installed = Listing.of(host.home);
    Run run = host.installSh("install");
    assertDone(run);
    assertTrue(run.out(), run.out().contains("The local cache 1.0 is installed already."));
    assertEquals(installed, Listing.of(host.home));
  }

  @Test
  public void dryRun_eachAction_tellsTheFilesAndChangesNothing() throws Exception {
    Run run = host.installSh("--dry-run", "install");
    assertDone(run);
    assertTrue(run.out(), run.out().contains("replace   " + SmallHost.JAR));
    assertTrue(run.out(), run.out().contains("replace   " + SmallHost.PAGE));
    assertTrue(run.out(), run.out().contains("Nothing was changed."));
    assertEquals(untouched, Listing.of(host.home));

    assertDone(host.installSh("install"));
    Map<String, String> installed = Listing.of(host.home);
    run = host.installSh("uninstall", "--dry-run");
    assertDone(run);
    assertTrue(run.out(), run.out().contains("restore   " + SmallHost.JAR));
    assertTrue(run.out(), run.out().contains("restore   " + SmallHost.PAGE));
    host.unpackArchive("1.1");
    run = host.installSh("--dry-run", "install");
    assertDone(run);
    assertTrue(run.out(), run.out().contains("replace   " + SmallHost.JAR));
    assertTrue(run.out(), run.out().contains("replace   " + SmallHost.PAGE));
    assertEquals(installed, Listing.of(host.home));
  }

  @Test
  public void install_pageOfAnother_isLeftAsItIs() throws Exception {
    Files.writeString(host.home.resolve(SmallHost.PAGE), "<html>a vendor's</html>\n");
    assertPageIsLeftAsItIs();
  }

  @Test
  public void install_noPage_isDoneWithout() throws Exception {
    SmallHost.delete(host.home.resolve(SmallHost.PAGE).getParent().getParent());
    assertPageIsLeftAsItIs();
  }

  private void assertPageIsLeftAsItIs() throws Exception {
    host.age();
    untouched = Listing.of(host.home);
    Run run = host.installSh("install");
    assertDone(run);
    assertTrue(run.out(), run.out().contains("leave     " + SmallHost.PAGE));
    Map<String, String> installed = Listing.of(host.home);
    assertEquals(untouched.get(SmallHost.PAGE), installed.get(SmallHost.PAGE));
    assertFalse(installed.containsKey(SmallHost.SCRIPT));
    assertEquals(0, host.installSh("status").exit());
    assertDone(host.installSh("uninstall"));
    assertEquals(untouched, Listing.of(host.home));
  }

  @Test
  public void uninstall_pageChangedSince_refusesUntilItIsPutBack() throws Exception {
    assertDone(host.installSh("install"));
    Files.writeString(host.home.resolve(SmallHost.PAGE), "<html>mine</html>\n");
    Run status = host.installSh("status");
    assertEquals(1, status.exit());
    assertTrue(status.out(), status.out().contains(SmallHost.PAGE + ": changed"));
    Map<String, String> changed = Listing.of(host.home);
    Run run = host.installSh("uninstall");
    assertEquals(1, run.exit());
    assertTrue(run.out(), run.out().contains("neither the released page nor the installed one"));
    assertEquals(changed, Listing.of(host.home));
    Files.copy(host.archive.resolve("hadoop/webapps-3.5.0/datanode.html"),
        host.home.resolve(SmallHost.PAGE), StandardCopyOption.REPLACE_EXISTING);
    assertDone(host.installSh("uninstall"));
    assertEquals(untouched.get(SmallHost.PAGE), Listing.of(host.home).get(SmallHost.PAGE));
  }

  @Test
  public void install_otherVersion_takesThePlaceOfTheFirst() throws Exception {
    assertDone(host.installSh("install"));
    host.unpackArchive("1.1");
    assertDone(host.installSh("install"));
    assertSame("hadoop/hadoop-hdfs-3.5.0.jar", SmallHost.JAR);
    assertFalse(Files.exists(host.home.resolve(SmallHost.OWN + "/lib/plugin-1.0.jar")));
    assertTrue(host.installSh("status").out().contains("The local cache 1.1 is installed"));
    assertDone(host.installSh("uninstall"));
    assertEquals(untouched, Listing.of(host.home));
  }

  @Test
  public void uninstall_archiveOfAnotherVersion_isTheSame() throws Exception {
    assertDone(host.installSh("install"));
    host.unpackArchive("1.1");
    assertDone(host.installSh("uninstall"));
    assertEquals(untouched, Listing.of(host.home));
  }

  @Test
  public void install_releasePackedAgain_isRecognisedByItsClasses() throws Exception {
    SmallHost.jar(host.home.resolve(SmallHost.JAR), SmallHost.RELEASED, 1_200_000_000_000L);
    untouched = Listing.of(host.home);
    assertDone(host.installSh("install"));
    assertDone(host.installSh("uninstall"));
    assertEquals(untouched.get(SmallHost.JAR), Listing.of(host.home).get(SmallHost.JAR));
  }

  @Test
  public void install_damaged_isMended() throws Exception {
    assertDone(host.installSh("install"));
    Files.delete(host.home.resolve(SmallHost.OWN + "/lib/plugin-1.0.jar"));
    Files.delete(host.home.resolve(SmallHost.PROFILE));
    Files.delete(host.home.resolve(SmallHost.PAGE));
    Files.delete(host.home.resolve(SmallHost.SCRIPT));
    Run status = host.installSh("status");
    assertEquals(1, status.exit());
    assertTrue(status.out(), status.out().contains("plugin-1.0.jar: missing"));
    assertTrue(status.out(), status.out().contains(SmallHost.PROFILE + ": missing"));
    assertDone(host.installSh("install"));
    assertEquals(0, host.installSh("status").exit());
    assertDone(host.installSh("uninstall"));
    assertEquals(Listing.of(host.home), withoutTimes());
  }

  @Test
  public void uninstall_hadoopUpgradedInItsPlace_takesOutTheRest() throws Exception {
    assertDone(host.installSh("install"));
    Path newer = host.home.resolve("share/hadoop/hdfs/hadoop-hdfs-3.5.1.jar");
    Files.delete(host.home.resolve(SmallHost.JAR));
    SmallHost.jar(newer, "newer", 0);
    assertDone(host.installSh("uninstall"));
    assertFalse(Files.exists(host.home.resolve(SmallHost.OWN)));
    assertFalse(Files.exists(host.home.resolve(SmallHost.PROFILE)));
    assertTrue(Files.exists(newer));
  }

  @Test
  public void status_each_hasItsExitCode() throws Exception {
    assertEquals(3, host.installSh("status").exit());
    assertDone(host.installSh("install"));
    assertEquals(0, host.installSh("status").exit());
    Files.writeString(host.home.resolve(SmallHost.OWN + "/lib/extra.jar"), "?");
    Run run = host.installSh("status");
    assertEquals(1, run.exit());
    assertTrue(run.out(), run.out().contains("extra.jar: not from install.sh"));
  }

  @Test
  public void installOrUninstall_installedByVersion1_0_doesAsWithItsOwn() throws Exception {
    assertDone(host.installSh("install"));
    host.asInstalledBy1_0("share/hadoop/hdfs");
    Run run = host.installSh("install");
    assertDone(run);
    assertTrue(run.out(), run.out().contains("The local cache 1.0 is installed already."));
    assertEquals(0, host.installSh("status").exit());
    host.unpackArchive("1.1");
    assertDone(host.installSh("install"));
    assertTrue(host.installSh("status").out().contains("The local cache 1.1 is installed"));
    host.asInstalledBy1_0("share/hadoop/hdfs");
    assertDone(host.installSh("uninstall"));
    assertEquals(untouched, Listing.of(host.home));
  }

  private Map<String, String> withoutTimes() throws Exception {
    Map<String, String> now = Listing.of(host.home);
    assertEquals(untouched.keySet(), now.keySet());
    assertEquals(untouched.get(SmallHost.JAR), now.get(SmallHost.JAR));
    return now;
  }

  private static void assertDone(Run run) {
    assertEquals(run.out(), 0, run.exit());
  }

  private void assertSame(String inArchive, String inHome) throws Exception {
    assertEquals(inHome, -1,
        Files.mismatch(host.archive.resolve(inArchive), host.home.resolve(inHome)));
  }
}
