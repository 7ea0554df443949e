/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import io.hdfslocalcache.harness.Run;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** {@code install.sh install --jar}, with a jar that was made for a vendor's hadoop-hdfs. */
public final class TestInstallGivenJar {

  private static final String THEIRS = "share/hadoop/hdfs/hadoop-hdfs-3.4.3.7.1.jar";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private SmallHost host;
  private Path theirs;
  private Path given;
  private Map<String, String> untouched;

  @Before
  public void setUp() throws Exception {
    host = new SmallHost(folder.getRoot().toPath());
    theirs = host.home.resolve(THEIRS);
    Files.delete(host.home.resolve(SmallHost.JAR));
    SmallHost.jar(theirs, "a vendor's classes", 0);
    Files.writeString(host.home.resolve(SmallHost.PAGE), "<html>a vendor's</html>\n");
    host.age();
    given = SmallHost.madeOf(theirs, "1.0", folder.getRoot().toPath().resolve("given.jar"));
    untouched = Listing.of(host.home);
  }

  @Test
  public void install_madeOfTheJarThatIsThere_isPutInAndTakenOut() throws Exception {
    Run run = installGiven();
    assertEquals(run.out(), 0, run.exit());
    assertEquals(-1, Files.mismatch(given, theirs));
    assertTrue(run.out(), run.out().contains("leave     " + SmallHost.PAGE));
    assertEquals(0, host.installSh("status").exit());

    assertEquals(0, host.installSh("uninstall").exit());
    assertEquals(untouched, Listing.of(host.home));
  }

  @Test
  public void install_madeAnew_takesThePlaceOfTheFirst() throws Exception {
    installGiven();
    Path original = host.home.resolve(SmallHost.OWN + "/original").resolve(theirs.getFileName());
    host.unpackArchive("1.1");
    given = SmallHost.madeOf(original, "1.1", given);
    Run run = installGiven();
    assertEquals(run.out(), 0, run.exit());
    assertEquals(-1, Files.mismatch(given, theirs));
    assertEquals(0, host.installSh("uninstall").exit());
    assertEquals(untouched, Listing.of(host.home));
  }

  @Test
  public void install_madeOfAnotherJar_isRefused() throws Exception {
    Path other = folder.getRoot().toPath().resolve("other.jar");
    SmallHost.jar(other, "their next release", 0);
    given = SmallHost.madeOf(other, "1.0", given);
    assertRefused("is not the jar that " + given + " was made of");
  }

  @Test
  public void install_madeByOtherPatches_isRefused() throws Exception {
    given = SmallHost.madeOf(theirs, "0.9", given);
    assertRefused("was made for the local cache 0.9: make it again");
  }

  @Test
  public void install_notMadeByBuildFor_isRefused() throws Exception {
    SmallHost.jar(given, "any", 0);
    assertRefused("given.jar: not a jar that patches/build-for made");
    Files.delete(given);
    assertRefused("given.jar: not a jar that patches/build-for made");
  }

  @Test
  public void wrongUse_jarWithAnotherAction_exitsWithTwo() throws Exception {
    assertEquals(2, host.installSh("--jar", given.toString(), "uninstall").exit());
    assertEquals(2, host.bare("install", "--jar").exit());
  }

  private void assertRefused(String reason) throws Exception {
    Run run = installGiven();
    assertEquals(run.out(), 1, run.exit());
    assertTrue(run.out(), run.out().contains(reason));
    assertEquals(untouched, Listing.of(host.home));
  }

  private Run installGiven() throws Exception {
    return host.installSh("install", "--jar", given.toString());
  }
}
