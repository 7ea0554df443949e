/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.harness.Run;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Each package, which dpkg or rpm installs into a root directory of its own. */
@RunWith(Parameterized.class)
public final class TestInstalledPackages {

  private static final String NAME = "hdfs-local-cache";
  private static final String GONE = "/opt/hdfs-local-cache/lib/gone.jar";
  private static final String COMPLETION = "usr/share/bash-completion/completions/hdfs";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final String kind;
  private final String built;
  private Path root;
  private Path installed;

  public TestInstalledPackages(String kind) {
    this.kind = kind;
    built = System.getProperty("packages") + "." + kind;
  }

  @Parameters(name = "{0}")
  public static List<String> kinds() {
    return List.of("deb", "rpm");
  }

  @Before
  public void setUp() throws Exception {
    String builder = isDeb() ? "dpkg-deb" : "rpmbuild";
    assumeTrue("missing: " + builder, Run.tryTo(builder, "--version"));
    assumeTrue("only root can install packages", Run.output("id", "-u").equals("0"));
    root = folder.newFolder("root").toPath();
    installed = root.resolve("opt").resolve(NAME);
    if (isDeb()) {
      for (String directory : List.of("info", "updates", "triggers")) {
        Files.createDirectories(root.resolve("var/lib/dpkg").resolve(directory));
      }
      Files.createFile(root.resolve("var/lib/dpkg/status"));
    }
  }

  @Test
  public void installed_isTheArchive() throws Exception {
    install(built);
    assertIsTheArchive();
  }

  @Test
  public void upgraded_hasNothingOfTheOlder() throws Exception {
    install(isDeb() ? olderDeb() : olderRpm());
    assertTrue(Files.exists(Path.of(root + GONE)));
    install(built);
    assertIsTheArchive();
  }

  @Test
  public void removed_hadoopKeepsTheLocalCache() throws Exception {
    install(built);
    InstalledTree hadoop = new InstalledTree(folder.getRoot().toPath().resolve("hadoop"));
    hadoop.create(System.getProperty("hadoop.version"));
    Map<String, String> untouched = Listing.of(hadoop.home());
    run(hadoop, installed + "/install.sh install $HADOOP_HOME");
    remove();
    assertFalse(Files.exists(installed));
    assertFalse(Files.exists(root.resolve(COMPLETION)));
    run(hadoop, "hdfs localcache status --help");
    install(built);
    run(hadoop, installed + "/install.sh status $HADOOP_HOME");
    run(hadoop, installed + "/install.sh uninstall $HADOOP_HOME");
    assertEquals(untouched, Listing.of(hadoop.home()));
  }

  private boolean isDeb() {
    return kind.equals("deb");
  }

  private void assertIsTheArchive() throws Exception {
    Path archive = folder.newFolder("archive").toPath();
    Run.output("tar", "--strip-components=1", "-xzf", System.getProperty("packages") + ".tar.gz",
        "-C", archive.toString());
    assertEquals(files(archive), files(installed));
    assertTrue(Files.exists(root.resolve(COMPLETION)));
  }

  private static Map<String, String> files(Path directory) throws IOException {
    Map<String, String> files = Listing.of(directory);
    files.remove(""); // the directory itself
    return files;
  }

  private static void run(InstalledTree hadoop, String script) throws Exception {
    Run run = hadoop.run(script);
    assertEquals(run.out(), 0, run.exit());
  }

  private void install(String file) throws IOException {
    call(isDeb() ? "--install" : "--upgrade", file);
  }

  private void remove() throws IOException {
    call(isDeb() ? "--purge" : "--erase", NAME);
  }

  private void call(String action, String what) throws IOException {
    Run run = Run.of(Map.of(), isDeb()
        ? List.of("dpkg", "--root=" + root, "--log=/dev/null", "--force-bad-path", action, what)
        : List.of("rpm", "--root=" + root, action, what));
    assertEquals(run.out(), 0, run.exit());
  }

  /** @return a package of an older version, with one file that this version does not have. */
  private String olderDeb() throws IOException {
    Path older = folder.newFolder("older").toPath();
    write(Path.of(older + GONE), "");
    write(older.resolve("DEBIAN/control"), """
        Package: hdfs-local-cache
        Version: 0.0.1
        Architecture: all
        Maintainer: nobody
        Description: older
        """);
    Run.output("dpkg-deb", "--build", older.toString());
    return older + ".deb";
  }

  private String olderRpm() throws IOException {
    Path older = folder.newFolder("older").toPath();
    Path spec = older.resolve("older.spec");
    write(spec, """
        Name: hdfs-local-cache
        Version: 0.0.1
        Release: 1
        Summary: older
        License: none
        BuildArch: noarch
        %description
        older
        %install
        install -D /dev/null %{buildroot}FILE
        %files
        FILE
        """.replace("FILE", GONE));
    Run.output("rpmbuild", "-bb", "--define", "_topdir " + older, spec.toString());
    return older + "/RPMS/noarch/hdfs-local-cache-0.0.1-1.noarch.rpm";
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
