/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeFalse;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.hdfslocalcache.harness.HadoopJvm;
import io.hdfslocalcache.harness.Run;
import io.hdfslocalcache.plugin.hdfs.LocalCacheInterceptor;
import org.apache.hadoop.conf.Configuration;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** {@code check-config}, on files as a DataNode has them. */
public class TestCheckConfig {
  private static final String PREFIX = "dfs.datanode.local.cache.";
  private static final String NOT_HERE =
      PREFIX + "directories = /nowhere/ssd: does not exist on this host, and was not checked";

  private static final String USER = System.getProperty("user.name");
  private static final String VALID =
      "The configuration is valid if the DataNode's user is " + USER + ".";
  private static final String STARTS =
      "The DataNode starts with this configuration if its user is " + USER + ".";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path directory;
  private String interceptor = LocalCacheInterceptor.class.getName();
  private String data = "/nowhere/data";

  @Before
  public void setUp() {
    directory = folder.getRoot().toPath();
  }

  @Test
  public void checkConfig_inOrder_saysSoAndChangesNothing() throws Exception {
    Path ssd = folder.getRoot().toPath().resolve("ssd");
    writeSsd(ssd, "capacity", "32m");
    check().assertDone(VALID);
    assertFalse("is made by the DataNode", Files.exists(ssd));
    Files.createDirectory(ssd);
    check().assertDone(VALID);
    assertEquals(0, ssd.toFile().list().length);
  }

  @Test
  public void checkConfig_ssdOfAnotherHost_isNotChecked() throws Exception {
    write("directories", "/nowhere/ssd", "capacity", "1g");
    check().assertDone(NOT_HERE, STARTS);
  }

  @Test
  public void checkConfig_onlySsdOfADataNodeIsMissing_fails() throws Exception {
    data = folder.newFolder("data").toString();
    write("directories", "/nowhere/ssd", "capacity", "1g");
    CommandResult result = check();
    assertEquals(result.toString(), 1, result.exitCode());
    assertTrue(result.toString(), result.err().get(0).startsWith("/nowhere/ssd takes no page: "));
  }

  @Test
  public void checkConfig_moreReservedThanTheDiskHas_failsWithTheValues() throws Exception {
    Path ssd = folder.newFolder("ssd").toPath();
    writeSsd(ssd, "capacity", "32m", "reserved", "4000t");
    CommandResult result = check();
    assertEquals(1, result.exitCode());
    assertTrue(result.toString(), result.err().get(0).startsWith(ssd + " takes no page: " + PREFIX
        + "capacity = 32 MB: must fit on the disk of " + ssd + ": with " + PREFIX
        + "reserved = 3.9 PB, its directories need 3.9 PB, but only "));
  }

  @Test
  public void checkConfig_directoriesThatCannotBeUsed_areNamedInALineEach() throws Exception {
    write("directories", "/hdfs-local-cache-0,/proc/hdfs-local-cache", "capacity", "32m");
    CommandResult result = check();
    assertEquals(1, result.exitCode());
    assertEquals(result.toString(), 2, result.err().size());
    assertTrue(result.toString(), result.err().get(0).startsWith("/hdfs-local-cache-0 takes no "
        + "page: not mounted: /hdfs-local-cache-0 is on the file system of /; "));
    assertTrue(result.toString(),
        result.err().get(1).startsWith("/proc/hdfs-local-cache takes no page: "));
  }

  /** The caller is taken for the DataNode's user. */
  @Test
  public void checkConfig_ofAnUserWhoMayNotWriteToTheSsd_fails() throws Exception {
    assumeFalse("root may write everywhere", isRoot());
    writeSsd(Path.of("/usr"), "capacity", "32m");
    CommandResult result = check();
    assertEquals(1, result.exitCode());
    assertTrue(result.toString(), result.err().get(0).startsWith("/usr takes no page: it must be "
        + "writable by the DataNode's user " + System.getProperty("user.name")));
  }

  @Test
  public void checkConfig_ofRoot_looksAsTheDataNodesUser() throws Exception {
    assumeTrue("only root can give directories away", isRoot());
    Path ssd = folder.newFolder("ssd").toPath();
    Path pins = folder.newFolder("pins").toPath();
    Path rules = folder.newFile("rules.json").toPath();
    Files.writeString(rules, "{\"rules\": []}");
    for (Path above = ssd.toRealPath().getParent(); above != null; above = above.getParent()) {
      if (above.startsWith(folder.getRoot().toPath().toRealPath())) {
        Files.setPosixFilePermissions(above, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
      assumeTrue("nobody cannot reach " + above, Files.getPosixFilePermissions(above)
          .contains(PosixFilePermission.OTHERS_EXECUTE));
    }
    Files.setPosixFilePermissions(rules, PosixFilePermissions.fromString("rw-------"));
    writeSsd(ssd, "capacity", "32m", "pins.directory", pins.toString(), "rules.file",
        rules.toString());
    Map<String, String> nobody =
        Map.of("HDFS_DATANODE_USER", "root", "HDFS_DATANODE_SECURE_USER", "nobody");
    Run run = process(nobody);
    assertEquals(run.out(), 1, run.exit());
    String denied = ": it must be writable by the DataNode's user nobody, who must own it: "
        + "Permission denied";
    assertEquals(ssd + " takes no page" + denied + "\n" + PREFIX + "rules.file = " + rules
        + ": must be readable by the DataNode's user nobody\n" + PREFIX + "pins.directory = "
        + pins + denied + "\n", run.out());
    for (Path one : List.of(ssd, pins, rules)) {
      Files.setOwner(one, one.getFileSystem().getUserPrincipalLookupService()
          .lookupPrincipalByName("nobody"));
    }
    assertEquals(new Run(0, "The configuration is valid if the DataNode's user is nobody.\n"),
        process(nobody));
    assertEquals(new Run(0, "root may write everywhere, so it was not checked whether the DataNode's "
        + "user may: run sudo -u hdfs hdfs localcache check-config, or set HDFS_DATANODE_USER\nThe DataNode starts with this configuration.\n"),
        process(Map.of("HDFS_DATANODE_USER", "")));
    writeSsd(ssd, "capacity", "32m", "pins.directory", "/proc/state/pins");
    run = process(nobody);
    assertTrue(run.out(), run.out().contains("cannot be made in /proc: make it; it must be "
        + "writable by the DataNode's user nobody, who must own it: "));
    assertEquals(new Run(1, "HDFS_DATANODE_USER = nonesuch: this host has no such user\n"),
        process(Map.of("HDFS_DATANODE_USER", "nonesuch")));
    write("dry-run", "true", "capacity", "32m");
    assertEquals("looks at no directory", new Run(0, "The configuration is valid.\n"),
        process(Map.of("HDFS_DATANODE_USER", "")));
  }

  private static boolean isRoot() {
    return USER.equals("root");
  }

  @Test
  public void checkConfig_memoryOnADisk_isToldAndHarmless() throws Exception {
    Path disk = Files.createDirectory(directory.resolve("disk"));
    assumeTrue("in a tmpfs", !Files.getFileStore(disk).type().equals("tmpfs"));
    write("directories", "/nowhere/ssd", "capacity", "1g", "memory.directory", disk.toString());
    check().assertDone(NOT_HERE, PREFIX + "memory.directory = " + disk
        + ": is not in a tmpfs, so that no page is kept in memory", STARTS);
    write("directories", "/nowhere/ssd", "capacity", "1g", "memory.directory", disk.toString(),
        "memory.size", "0");
    check().assertDone(NOT_HERE, STARTS);
  }

  @Test
  public void checkConfig_moreMemoryThanTheTmpfsHas_isTold() throws Exception {
    Path tmpfs = Path.of("/dev/shm");
    assumeTrue("no tmpfs", Files.isWritable(tmpfs));
    write("directories", "/nowhere/ssd", "capacity", "1g", "memory.size", "9000t");
    CommandResult result = check();
    assertEquals(result.toString(), 0, result.exitCode());
    assertTrue(result.toString(), result.out().get(1).startsWith(PREFIX + "memory.size = 8.8 PB: "
        + tmpfs + " has only "));
  }

  @Test
  public void checkConfig_notSwitchedOn_isTold() throws Exception {
    write("enabled", "false", "directories", "/nowhere/ssd", "capacity", "1g");
    check().assertDone(PREFIX + "enabled = false: the local cache is off until it is switched on",
        NOT_HERE, STARTS);
  }

  @Test
  public void checkConfig_pinsDirectoryThatCannotBeUsed_fails() throws Exception {
    for (String absent : List.of("/nowhere/state/pins", "/proc/pins")) {
      write("directories", "/nowhere/ssd", "capacity", "1g", "pins.directory", absent);
      check().assertDone(NOT_HERE, PREFIX + "pins.directory = " + absent
          + ": does not exist on this host, and was not checked", STARTS);
    }
    writeSsd(directory.resolve("ssd"), "capacity", "32m", "pins.directory", "/proc/state/pins");
    CommandResult result = check();
    assertEquals(result.toString(), 1, result.exitCode());
    assertTrue(result.toString(), result.err().get(0).startsWith(PREFIX
        + "pins.directory = /proc/state/pins: does not exist, and cannot be made in /proc: make it; "
        + "it must be writable by the DataNode's user " + USER));
    writeSsd(directory.resolve("ssd"), "capacity", "32m",
        "pins.directory", directory.resolve("state/pins").toString());
    check().assertDone(VALID);
    assertFalse(Files.exists(directory.resolve("state")));
  }

  @Test
  public void checkConfig_ruleOfAUserWithoutBlockTokens_warns() throws Exception {
    Path rules = directory.resolve("rules.json");
    Files.writeString(rules,
        "{\"rules\": [{\"name\": \"u\", \"user\": \"etl\", \"action\": \"never\"}]}");
    writeSsd(directory.resolve("ssd"), "capacity", "32m", "rules.file", rules.toString());
    CommandResult result = check();
    assertEquals(result.toString(), 0, result.exitCode());
    assertEquals(PREFIX + "rules.file = " + rules + ": a rule with user matches no reads, because "
        + "dfs.block.access.token.enable is not true", result.out().get(0));
  }

  /** This host has one of the SSDs, so it is a DataNode's, and should have the rest. */
  @Test
  public void checkConfig_whatIsMissingOnADataNodesHost_isNotThatOfAnotherHost() throws Exception {
    write("directories", directory.resolve("ssd") + ",/nowhere/ssd", "require.mount", "false",
        "capacity", "32m", "rules.file", "/nowhere/rules", "memory.directory", "/nowhere/memory",
        "trace.directory", "/proc/trace");
    CommandResult result = check();
    assertEquals(result.toString(), 1, result.exitCode());
    assertEquals(List.of("/nowhere/ssd takes no page: directory is missing: /nowhere", PREFIX
        + "rules.file = /nowhere/rules: cannot be read: /nowhere/rules: No such file or directory"),
        result.err());
    assertEquals(PREFIX + "memory.directory = /nowhere/memory: does not exist, so that no page is "
        + "kept in memory", result.out().get(0));
    assertTrue(result.toString(), result.out().get(1).startsWith(PREFIX + "trace.directory = "
        + "/proc/trace: does not exist, and cannot be made in /proc: make it; "));
  }

  @Test
  public void checkConfig_severalBadValues_areNamedInALineEach() throws Exception {
    write("enabled", "ture", "directories", "ssd", "capacity", "x", "page.size", "3k",
        "io.deadline", "1y", "rules.interval", "x\ny", "trace.max.bytes", "1", "rate.limiter.window",
        "x", "rate.limiter.threshold", "-1", "endurance", "1");
    CommandResult result = check();
    assertEquals(1, result.exitCode());
    for (String key : List.of("enabled", "directories", "capacity", "page.size", "io.deadline",
        "rules.interval", "trace.max.bytes", "rate.limiter.window", "rate.limiter.threshold",
        "endurance")) {
      assertEquals(result.toString(), 1, result.err().stream()
          .filter(line -> line.startsWith(PREFIX + key + " = ")).count());
    }
    assertEquals(result.toString(), 10, result.err().size());
  }

  @Test
  public void checkConfig_valueThatStopsTheStart_fails() throws Exception {
    write("directories", "/nowhere/ssd", "capacity", "1g", "page.size", "3k");
    CommandResult size = check();
    assertEquals(1, size.exitCode());
    assertTrue(size.toString(), size.err().get(0).startsWith(PREFIX + "page.size = 3k: must be "));
    write("directories", "/nowhere/ssd", "capacity", "1g", "page.size", "32k");
    CommandResult small = check();
    assertEquals(1, small.exitCode());
    assertTrue(
        small.toString(), small.err().get(0).startsWith(PREFIX + "page.size = 32k: must be "));
    write("directories", "/nowhere/ssd", "capacity", "1g",
        "rate.limiter.class", "none-of-ours");
    CommandResult result = check();
    assertEquals(1, result.exitCode());
    assertTrue(result.toString(), result.err().get(0)
        .startsWith(PREFIX + "rate.limiter.class = none-of-ours: must be one of "));
  }

  @Test
  public void checkConfig_keyThatIsMisspelt_fails_andTheRestIsChecked() throws Exception {
    write("directory", "/nowhere/ssd", "rate.limiter.windw", "1h", "rules.file", "/nowhere/rules");
    CommandResult result = check();
    assertEquals(1, result.exitCode());
    assertEquals(List.of(
        PREFIX + "directory is not a key of the local cache and has no effect; the most similar is "
            + PREFIX + "directories",
        PREFIX + "rate.limiter.windw is not a key of the local cache and has no effect; the most "
            + "similar is " + PREFIX + "rate.limiter.window"), result.err());
    assertEquals(List.of(
        PREFIX + "enabled = false: the local cache is off until it is switched on",
        PREFIX + "rules.file = /nowhere/rules: does not exist on this host, and was not checked"),
        result.out());
  }

  @Test
  public void checkConfig_noInterceptor_saysThatThereIsNoLocalCache() throws Exception {
    interceptor = "";
    write("capacity", "1g");
    check().assertDone("The DataNode starts without the local cache: "
        + "dfs.datanode.block.reader.interceptor.class is not set.");
  }

  @Test
  public void checkConfig_onWithoutAnInterceptor_fails() throws Exception {
    interceptor = "";
    write("enabled", "true", "directories", "/nowhere/ssd", "capacity", "1g");
    check().assertFailed("dfs.datanode.block.reader.interceptor.class has no value: must be "
        + LocalCacheInterceptor.class.getName() + " when " + PREFIX + "enabled is true; the "
        + "DataNode would start without the local cache");
  }

  @Test
  public void checkConfig_ssdInADataDirectory_fails() throws Exception {
    write("directories", "/nowhere/data/ssd", "capacity", "1g");
    CommandResult result = check();
    assertEquals(1, result.exitCode());
    assertTrue(result.toString(), result.err().get(0).endsWith(
        "must be neither inside nor around a directory of dfs.datanode.data.dir (/nowhere/data)"));
  }

  /** A gateway has none of the SSDs, though one of the directories can be used nowhere. */
  @Test
  public void checkConfig_directoryThatNoHostMayUse_isNotThereYet() throws Exception {
    Files.createFile(directory.resolve("file"));
    write("directories", directory.resolve("file/ssd") + ",/nowhere/ssd", "capacity", "1g",
        "rules.file", "/nowhere/rules");
    CommandResult result = check();
    assertEquals(result.toString(), 1, result.exitCode());
    assertTrue(result.toString(), result.err().get(0).startsWith(PREFIX + "directories = "
        + directory.resolve("file/ssd") + ": must be a directory that the DataNode can use"));
    assertEquals(List.of(NOT_HERE, PREFIX
        + "rules.file = /nowhere/rules: does not exist on this host, and was not checked"),
        result.out());
  }

  @Test
  public void checkConfig_interceptorThatIsMisspelt_fails() throws Exception {
    interceptor = "io.hdfslocalcache.plugin.hdfs.LocalCacheIntercepter";
    write("capacity", "1g");
    check().assertFailed(notAnInterceptor());
  }

  @Test
  public void checkConfig_interceptorIsAnotherClass_fails() throws Exception {
    interceptor = "java.lang.String";
    write("capacity", "1g");
    check().assertFailed(notAnInterceptor());
  }

  /** @return what ends the DataNode's start, too. */
  private String notAnInterceptor() {
    return "dfs.datanode.block.reader.interceptor.class = " + interceptor + ": not a class on the "
        + "DataNode's class path that implements "
        + "org.apache.hadoop.hdfs.server.datanode.BlockReaderInterceptor";
  }

  @Test
  public void checkConfig_hostHasAFileOfTheSameName_looksAtTheOneOfTheDirectory() throws Exception {
    write("directories", "/nowhere/ssd", "capacity", "1g", "page.size", "3k");
    Path host = folder.newFolder("host").toPath();
    Files.writeString(host.resolve("local-cache-site.xml"), "<configuration/>\n");
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader ofHost = new URLClassLoader(new URL[] {host.toUri().toURL()}, before)) {
      Thread.currentThread().setContextClassLoader(ofHost);
      assertEquals(1, check().exitCode());
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  @Test
  public void checkConfig_severalMistakes_areToldTogether() throws Exception {
    write("directories", "/nowhere/ssd", "capcity", "1g", "page.size", "3k");
    CommandResult result = check();
    assertEquals(1, result.exitCode());
    assertTrue(result.toString(), result.err().get(0).startsWith(PREFIX));
    assertTrue(result.toString(),
        result.err().get(result.err().size() - 1).startsWith(PREFIX + "capcity is not a key"));
  }

  @Test
  public void checkConfig_budgetWithoutAUnit_isTold() throws Exception {
    write("directories", "/nowhere/ssd", "capacity", "1g", "write.budget", "40");
    check().assertDone(
        PREFIX + "write.budget = 40: is less than one page per day; is its unit missing?",
        NOT_HERE,
        STARTS);
  }

  @Test
  public void checkConfig_keysWithoutEffectBesideOthers_areTold() throws Exception {
    write("directories", "/nowhere/ssd", "capacity", "1g", "write.budget", "1g",
        "rate.limiter.threshold", "3");
    check().assertDone(PREFIX + "rate.limiter.threshold = 3: has no effect while there is a write "
        + "budget; set " + PREFIX + "write.budget to 0 first", NOT_HERE, STARTS);
    write("directories", "/nowhere/ssd", "capacity", "1g", "write.budget", "1g",
        "rate.limiter.class", "bucket-time");
    check().assertDone(PREFIX + "write.budget = 1g: has no effect on " + PREFIX
        + "rate.limiter.class = bucket-time", NOT_HERE, STARTS);
  }

  @Test
  public void checkConfig_brokenXml_namesFileAndLineOnly() throws Exception {
    Path site = directory.resolve("hdfs-site.xml");
    Files.writeString(site, "<configuration>\n<property>\n</configuration>\n");
    CommandResult result = check();
    assertEquals(1, result.exitCode());
    assertEquals(result.toString(), 1, result.err().size());
    assertTrue(result.toString(), result.err().get(0).startsWith(site + ":3: "));
    write("capacity", "1g");
    Files.writeString(
        directory.resolve("local-cache-site.xml"), "<configuration>\n</property>\n");
    result = check();
    assertEquals(result.toString(), 1, result.err().size());
    assertTrue(result.toString(),
        result.err().get(0).startsWith(directory.resolve("local-cache-site.xml") + ":2: "));
  }

  /** As install.sh runs it, with a log that goes to the terminal. */
  @Test
  public void checkConfig_brokenXml_showsNoStackTraceOfHadoop() throws Exception {
    write("capacity", "1g");
    Path broken = directory.resolve("local-cache-site.xml");
    Files.writeString(broken, "<configuration>\n</property>\n");
    Files.writeString(directory.resolve("log4j.properties"), """
        log4j.rootLogger=INFO,console
        log4j.appender.console=org.apache.log4j.ConsoleAppender
        log4j.appender.console.target=System.err
        log4j.appender.console.layout=org.apache.log4j.PatternLayout
        log4j.appender.console.layout.ConversionPattern=%p %c: %m%n
        """);
    Run run = process(Map.of());
    assertEquals(run.out(), 1, run.exit());
    assertTrue(run.out(), run.out().startsWith(broken + ":2: "));
    assertEquals(run.out(), 1, run.out().lines().count());
  }

  @Test
  public void checkConfig_noFiles_fails() throws Exception {
    check().assertFailed(directory + ": there is no hdfs-site.xml");
    Path file = folder.newFile("hdfs-site.xml").toPath();
    CommandResult.ofVerb(new Configuration(), "check-config", file.toString())
        .assertFailed(file + ": is a file; name its directory");
  }

  private void writeSsd(Path ssd, String... keys) throws IOException {
    List<String> all = new ArrayList<>(List.of(keys));
    all.addAll(List.of("directories", ssd.toString(), "require.mount", "false"));
    write(all.toArray(String[]::new));
  }

  /** As the check at the start of a DataNode, which gets no options of the JVM. */
  @Test
  public void verbsThatAskNobody_kerberosIsNotConfigured_work() throws Exception {
    writeSsd(folder.newFolder("ssd").toPath(), "capacity", "32m");
    Files.writeString(directory.resolve("core-site.xml"), "<configuration><property><name>"
        + "hadoop.security.authentication</name><value>kerberos</value></property>"
        + "</configuration>\n");
    HadoopJvm jvm = HadoopJvm.likeThis(
        "-Djava.security.krb5.conf=" + Files.createFile(directory.resolve("krb5.conf")));
    String main = LocalCacheCommand.class.getName();
    Run check = Run.of(Map.of(), jvm.command(directory, main, "check-config"));
    assertEquals(VALID + "\n", check.out());
    assertEquals(0, Run.of(Map.of(), jvm.command(directory, main, "help")).exit());
    Run status = Run.of(Map.of(), jvm.command(directory, main, "status", "127.0.0.1:1"));
    assertEquals(status.out(), 1, status.exit());
    assertTrue(status.out(), status.out().contains("127.0.0.1:1: cannot determine the user: "));
  }

  /** Hadoop reads an included file that is not on the class path from the working directory. */
  @Test
  public void checkConfig_includedFileIsNotInTheConfiguration_fails() throws Exception {
    write("capacity", "32m");
    Path home = folder.newFolder("a home").toPath();
    Files.move(directory.resolve("local-cache-site.xml"), home.resolve("local-cache-site.xml"));
    List<String> command = new ArrayList<>(
        List.of("sh", "-c", "cd \"$0\" && exec \"$@\"", home.toString()));
    command.addAll(HadoopJvm.likeThis()
        .command(directory, LocalCacheCommand.class.getName(), "check-config"));
    Run run = Run.of(Map.of(), command);
    assertEquals(run.out(), 1, run.exit());
    String why = "local-cache-site.xml was read from the working directory " + home.toRealPath()
        + ": move it next to hdfs-site.xml\n";
    assertTrue(run.out(), run.out().contains(why));
    Path copy = directory.resolve("local-cache-site.xml");
    Files.copy(home.resolve("local-cache-site.xml"), copy);
    assertFalse("it is in both", Run.of(Map.of(), command).out().contains(why));
    Files.move(copy, directory.resolve("hdfs-site.xml"), StandardCopyOption.REPLACE_EXISTING);
    assertFalse("nothing is included", Run.of(Map.of(), command).out().contains(why));
  }

  /** Runs it with other environment variables. */
  private Run process(Map<String, String> environment) throws IOException {
    return Run.of(environment, HadoopJvm.likeThis()
        .command(directory, LocalCacheCommand.class.getName(), "check-config"));
  }

  private CommandResult check() throws Exception {
    return CommandResult.ofVerb(new Configuration(), "check-config", directory.toString());
  }

  /** The keys in a file of their own, which hdfs-site.xml includes. @param keys and values in turn */
  private void write(String... keys) throws IOException {
    StringBuilder site = new StringBuilder("<configuration>\n"
        + "<property><name>dfs.datanode.block.reader.interceptor.class</name><value>" + interceptor
        + "</value></property>\n<property><name>dfs.datanode.data.dir</name><value>" + data
        + "</value></property>\n");
    if (List.of(keys).contains("directories") && !List.of(keys).contains("enabled")) {
      write(Stream.concat(Stream.of("enabled", "true"), Stream.of(keys)).toArray(String[]::new));
      return;
    }
    for (int i = 0; i < keys.length; i += 2) {
      site.append("<property><name>").append(PREFIX).append(keys[i]).append("</name><value>")
          .append(keys[i + 1]).append("</value></property>\n");
    }
    Files.writeString(directory.resolve("local-cache-site.xml"), site + "</configuration>\n");
    Files.writeString(directory.resolve("hdfs-site.xml"), "<configuration xmlns:xi=\""
        + "http://www.w3.org/2001/XInclude\">\n<xi:include href=\"local-cache-site.xml\"/>\n"
        + "</configuration>\n");
  }
}
