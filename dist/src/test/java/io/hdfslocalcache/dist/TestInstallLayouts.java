/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.harness.Run;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What {@code install.sh} does in a Hadoop that differs from its unpacked archive. */
public final class TestInstallLayouts {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path root;
  private SmallHost host;
  private Path jar;

  @Before
  public void setUp() throws Exception {
    root = folder.getRoot().toPath();
    host = new SmallHost(root);
    jar = host.home.resolve(SmallHost.JAR);
  }

  @Test
  public void install_jarIsALink_replacesTheLinkAndPutsItBack() throws Exception {
    Path file = host.home.resolve("share/jars/hadoop-hdfs.jar");
    Files.createDirectories(file.getParent());
    Files.move(jar, file);
    Files.createSymbolicLink(jar, Path.of("../../jars/hadoop-hdfs.jar"));
    Map<String, String> untouched = Listing.of(host.home);

    assertDone(host.installSh("install"));
    assertFalse(Files.isSymbolicLink(jar));
    assertEquals(-1, Files.mismatch(host.archive.resolve("hadoop/hadoop-hdfs-3.5.0.jar"), jar));
    assertEquals("the file behind the link", untouched.get("share/jars/hadoop-hdfs.jar"),
        Listing.of(host.home.resolve("share/jars")).get("hadoop-hdfs.jar"));
    assertDone(host.installSh("status"));

    assertDone(host.installSh("uninstall"));
    assertEquals(Path.of("../../jars/hadoop-hdfs.jar"), Files.readSymbolicLink(jar));
    assertEquals(untouched, Listing.of(host.home));
  }

  @Test
  public void install_jarIsALinkAndNoHardLinks_isTheSame() throws Exception {
    Path file = root.resolve("elsewhere.jar");
    Files.move(jar, file);
    Files.createSymbolicLink(jar, file);
    Map<String, String> untouched = Listing.of(host.home);
    host.standIn("ln", "exit 1\n");
    assertDone(host.installSh("install"));
    assertDone(host.installSh("uninstall"));
    assertEquals(untouched, Listing.of(host.home));
  }

  @Test
  public void uninstall_linkLeadsElsewhereSince_refusesAndTouchesNothing() throws Exception {
    Path file = root.resolve("elsewhere.jar");
    Files.move(jar, file);
    Files.createSymbolicLink(jar, file);
    assertDone(host.installSh("install"));
    Files.delete(jar);
    Path newer = root.resolve("newer.jar");
    SmallHost.jar(newer, "newer", 0);
    Files.createSymbolicLink(jar, newer);
    Run run = host.installSh("uninstall");
    assertEquals(run.out(), 1, run.exit());
    assertTrue(run.out(), run.out().contains("neither the released jar nor the installed one"));
    assertEquals(newer, Files.readSymbolicLink(jar));
  }

  @Test
  public void uninstall_profilesAreALink_leavesTheLink() throws Exception {
    Path profiles = host.home.resolve("libexec/shellprofile.d");
    Path directory = Files.createDirectory(root.resolve("profiles"));
    SmallHost.delete(profiles);
    Files.createSymbolicLink(profiles, directory);
    assertDone(host.installSh("install"));
    assertTrue(Files.exists(directory.resolve("hdfs-localcache.sh")));
    assertDone(host.installSh("uninstall"));
    assertFalse(Files.exists(directory.resolve("hdfs-localcache.sh")));
    assertEquals(directory, Files.readSymbolicLink(profiles));
    assertFalse(Files.exists(host.home.resolve(SmallHost.OWN)));
  }

  @Test
  public void install_hdfsElsewhere_isFoundByTheVariable() throws Exception {
    Path hdfs = moveHdfs();
    Map<String, String> untouched = Listing.of(root);
    host.environment.put("HADOOP_HDFS_HOME", hdfs.toString());
    assertInstalledAndTakenOut(hdfs, untouched);
  }

  @Test
  public void install_hdfsElsewhere_isFoundByHadoopEnv() throws Exception {
    Path hdfs = moveHdfs();
    Path env = host.home.resolve("etc/hadoop/hadoop-env.sh");
    Files.createDirectories(env.getParent());
    Files.writeString(env, "export HADOOP_HDFS_HOME=\"" + hdfs + "\"\n");
    assertInstalledAndTakenOut(hdfs, Listing.of(root));
  }

  @Test
  public void uninstall_hdfsIsElsewhereSince_theOldTreeIsAsBefore() throws Exception {
    Map<String, String> untouched = installBesideCopy();
    host.environment.put("HADOOP_HDFS_HOME", root.resolve("copy").toString());
    assertDone(host.installSh("status"));
    assertDone(host.installSh("uninstall"));
    assertEquals(untouched, Listing.of(root));
  }

  @Test
  public void uninstall_variableIsNotSet_theOldTreeIsAsBefore() throws Exception {
    Map<String, String> untouched = installBesideCopy();
    host.environment.remove("HADOOP_HDFS_HOME");
    assertDone(host.installSh("uninstall"));
    assertEquals(untouched, Listing.of(root));
  }

  @Test
  public void uninstall_hdfsIsInTheHomeSince_theOldTreeIsAsBefore() throws Exception {
    installBesideCopy();
    Path hdfs = host.home.resolve("share/hadoop/hdfs");
    copy(root.resolve("copy/share/hadoop/hdfs"), hdfs);
    Map<String, String> inHome = Listing.of(hdfs);
    assertDone(host.installSh("uninstall"));
    assertEquals(inHome, Listing.of(hdfs));
    assertEquals(Listing.of(root.resolve("copy")), Listing.of(root.resolve("hdfs")));
    assertFalse(Files.exists(host.home.resolve(SmallHost.OWN)));
  }

  @Test
  public void uninstall_linkInTheHomeLeadsElsewhereSince_theOldTreeIsAsBefore() throws Exception {
    Path hdfs = moveHdfs();
    Path copy = copy(hdfs, root.resolve("copy"));
    Path link = host.home.resolve("share/hadoop/hdfs");
    Files.createSymbolicLink(link, hdfs.resolve("share/hadoop/hdfs"));
    Map<String, String> untouched = Listing.of(hdfs);
    assertDone(host.installSh("install"));
    Files.delete(link);
    Files.createSymbolicLink(link, copy.resolve("share/hadoop/hdfs"));
    assertDone(host.installSh("uninstall"));
    assertEquals(untouched, Listing.of(hdfs));
    assertEquals(untouched, Listing.of(copy));
  }

  /** A link leads there since, so that its files have another name now. */
  @Test
  public void install_hdfsIsTheSameByAnotherName_isInstalledAlready() throws Exception {
    Map<String, String> untouched = Listing.of(host.home.resolve("share/hadoop/hdfs"));
    assertDone(host.installSh("install"));
    Path hdfs = moveHdfs().resolve("share/hadoop/hdfs");
    Files.createSymbolicLink(host.home.resolve("share/hadoop/hdfs"), hdfs);
    Run again = host.installSh("install");
    assertDone(again);
    assertTrue(again.out(), again.out().contains("is installed already"));
    assertDone(host.installSh("uninstall"));
    assertEquals(untouched, Listing.of(hdfs));
  }

  @Test
  public void uninstall_journalOfVersion1_0WithoutTimes_theOldTreeIsAsBefore() throws Exception {
    Map<String, String> untouched = installBesideCopy();
    host.asInstalledBy1_0("../hdfs/share/hadoop/hdfs");
    Path journal = host.home.resolve(SmallHost.OWN).resolve("journal");
    Files.write(journal, Files.readAllLines(journal).stream()
        .filter(line -> !line.startsWith("before ") && !line.startsWith("after ")).toList());
    assertDone(host.installSh("uninstall"));
    assertEquals(untouched, Listing.of(root));
  }

  @Test
  public void install_hdfsIsElsewhereSince_movesThereAndTheOldTreeIsAsBefore() throws Exception {
    Map<String, String> untouched = installBesideCopy();
    host.environment.put("HADOOP_HDFS_HOME", root.resolve("copy").toString());
    assertDone(host.installSh("install"));
    assertEquals(-1, Files.mismatch(host.archive.resolve("hadoop/hadoop-hdfs-3.5.0.jar"),
        root.resolve("copy").resolve(SmallHost.JAR)));
    assertDone(host.installSh("status"));
    assertDone(host.installSh("uninstall"));
    assertEquals(untouched, Listing.of(root));
  }

  @Test
  public void uninstall_installedHdfsWasMoved_isRefused() throws Exception {
    installBesideCopy();
    Files.move(root.resolve("hdfs"), root.resolve("moved"));
    host.environment.put("HADOOP_HDFS_HOME", root.resolve("moved").toString());
    assertRefused("uninstall", "move HDFS back there");
    assertRefused("install", "move HDFS back there");
    host.environment.put("HADOOP_HDFS_HOME", root.resolve("hdfs").toString());
    assertRefused("uninstall", "there is no share/hadoop/hdfs");
  }

  @Test
  public void uninstall_hdfsIsElsewhereSinceVersion1_0_theOldTreeIsAsBefore() throws Exception {
    Map<String, String> untouched = installBesideCopy();
    host.asInstalledBy1_0("../hdfs/share/hadoop/hdfs");
    host.environment.put("HADOOP_HDFS_HOME", root.resolve("copy").toString());
    assertDone(host.installSh("status"));
    assertDone(host.installSh("uninstall"));
    assertEquals(untouched, Listing.of(root));
  }

  private Map<String, String> installBesideCopy() throws Exception {
    Path hdfs = moveHdfs();
    copy(hdfs, root.resolve("copy"));
    Map<String, String> untouched = Listing.of(root);
    host.environment.put("HADOOP_HDFS_HOME", hdfs.toString());
    assertDone(host.installSh("install"));
    return untouched;
  }

  private static Path copy(Path from, Path to) throws Exception {
    assertDone(Run.of(Map.of(), List.of("cp", "-a", from.toString(), to.toString())));
    return to;
  }

  private Path moveHdfs() throws Exception {
    Path hdfs = root.resolve("hdfs");
    Files.createDirectories(hdfs.resolve("share/hadoop"));
    Files.move(host.home.resolve("share/hadoop/hdfs"), hdfs.resolve("share/hadoop/hdfs"));
    return hdfs;
  }

  private void assertInstalledAndTakenOut(Path hdfs, Map<String, String> untouched)
      throws Exception {
    assertDone(host.installSh("install"));
    assertEquals(-1, Files.mismatch(host.archive.resolve("hadoop/hadoop-hdfs-3.5.0.jar"),
        hdfs.resolve(SmallHost.JAR)));
    assertTrue(Files.exists(hdfs.resolve(SmallHost.SCRIPT)));
    assertTrue(Files.exists(host.home.resolve(SmallHost.OWN + "/lib/plugin-1.0.jar")));
    assertDone(host.installSh("status"));
    assertDone(host.installSh("uninstall"));
    assertEquals(untouched, Listing.of(root));
  }

  @Test
  public void install_variableOfAnotherHadoop_isNotListenedTo() throws Exception {
    Path other = root.resolve("other");
    Files.createDirectories(other.resolve("share/hadoop/hdfs"));
    Files.copy(jar, other.resolve(SmallHost.JAR));
    Map<String, String> untouched = Listing.of(other);
    host.environment.put("HADOOP_HDFS_HOME", other.toString());
    assertDone(host.installSh("install"));
    assertEquals(untouched, Listing.of(other));
  }

  @Test
  public void install_hdfsElsewhereAndUnknown_saysWhatToDo() throws Exception {
    moveHdfs();
    assertRefused("if it lies elsewhere, set HADOOP_HDFS_HOME");
    host.environment.put("HADOOP_HDFS_HOME", "/nowhere");
    assertRefused("HADOOP_HDFS_HOME=/nowhere: there is no share/hadoop/hdfs");
  }

  @Test
  public void install_treeOfRoot_anyUserCanReadWhatWasPutIn() throws Exception {
    assumeTrue("root can take another user's place",
        System.getProperty("user.name").equals("root"));
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rw-r--r--"));
    Run install = Run.of(host.environment, List.of("bash", "-c", "umask 077; exec \"$@\"", "sh",
        host.archive.resolve("install.sh").toString(), "install", host.home.toString()));
    assertDone(install);
    List<String> count = new ArrayList<>(List.of("setpriv", "--reuid=65534", "--regid=65534",
        "--clear-groups", "wc", "-c"));
    for (String file : List.of(SmallHost.JAR, SmallHost.PROFILE, SmallHost.PAGE, SmallHost.SCRIPT,
        SmallHost.OWN + "/lib/plugin-1.0.jar", SmallHost.OWN + "/lib/cli-1.0.jar")) {
      count.add(host.home.resolve(file).toString());
    }
    assertDone(Run.of(Map.of(), count));
  }

  private void assertRefused(String reason) throws Exception {
    assertEquals(1, assertRefused("install", reason).out().lines().count());
  }

  private Run assertRefused(String action, String reason) throws Exception {
    Map<String, String> before = Listing.of(root);
    Run run = host.installSh(action);
    assertEquals(run.out(), 1, run.exit());
    assertTrue(run.out(), run.out().contains(reason));
    assertEquals(before, Listing.of(root));
    return run;
  }

  private static void assertDone(Run run) {
    assertEquals(run.out(), 0, run.exit());
  }
}
