/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.hdfslocalcache.harness.Run;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Runs the recipe of docs/operations.md for all DataNodes, with stand-ins for its programs. */
public final class TestRollingRecipe {

  private static final Path DOCUMENT = Path.of(System.getProperty("root"), "docs/operations.md");
  /** A DataNode that is up has a file, which says how often it is still found after its stop. */
  private static final String HDFS = """
      last=${!#} on=${last%%:*}
      case $* in
        *check-config) ;;
        'localcache help') [[ -z $STOCK ]] ;;
        *-shutdownDatanode*) on=${3%%:*}; echo "$on stops" >> log; echo 2 > "up-$on" ;;
        *'--daemon start'*)
          echo "$HOST starts" >> log
          [[ ! -e up-$HOST ]] && echo 0 > "up-$HOST" ;;
        *'--wait-for ready'*)
          echo "$on is awaited" >> log
          [[ -e up-$on && $on != "$NOT_READY" ]] ;;
        *) exit 9 ;;
      esac
      """;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private SmallHost host;
  private Path directory;

  @Before
  public void setUp() throws Exception {
    directory = folder.newFolder().toPath();
    host = new SmallHost(directory.resolve("host"));
    host.environment.put("HADOOP_HOME", host.home.toString());
    for (String fault : List.of("NOT_READY", "CUT_OFF", "HANGS", "STOCK")) {
      host.environment.put(fault, "");
    }
    Files.writeString(directory.resolve("datanodes"), "dn1\ndn2\n");
    SmallHost.script(host.home.resolve("bin/hdfs"), HDFS);
    host.standIn("hdfs", HDFS);
    host.standIn("scp", "true\n");
    host.standIn("sleep", "true\n");
    host.standIn("ssh", "[[ $* != *'ps -p'* || $1 != \"$CUT_OFF\" ]] || exit 255\n"
        + "export HOST=$1; shift; exec bash -c \"$*\"\n");
    host.standIn("timeout", "shift; [[ -n $HANGS ]] && n=1 || n=60\n"
        + "/usr/bin/timeout $n \"$@\" || exit 7\n");
    host.standIn("sudo", "[[ $1 != -u ]] || shift 2\n"
        + "case $1 in */bin/hdfs) exec \"$@\" ;; *) echo \"$HOST ${1##*/}\" >> log ;; esac\n");
    host.standIn("pgrep", "echo 4711,4712\n");
    host.standIn("ps", "[[ $* == '-p 4711,4712' ]] || exit 9\n[[ $HOST != \"$HANGS\" ]] || exit 0\nn=$(cat \"up-$HOST\" 2> /dev/null) || exit 1\n"
        + "if ((n > 0)); then echo $((n - 1)) > \"up-$HOST\"; else rm \"up-$HOST\"; exit 1; fi\n");
  }

  @Test
  public void recipe_restartsOneDataNodeAfterTheOther() throws Exception {
    Run run = recipe();
    assertEquals(run.out(), 0, run.exit());
    assertEquals(List.of("dn1 dpkg", "dn1 cp", "dn1 install.sh", "dn1 stops", "dn1 starts",
        "dn1 is awaited", "dn2 dpkg", "dn2 cp", "dn2 install.sh", "dn2 stops", "dn2 starts",
        "dn2 is awaited"), Files.readAllLines(directory.resolve("log")));
  }

  @Test
  public void recipe_dataNodeIsNotReady_stops() throws Exception {
    host.environment.put("NOT_READY", "dn1");
    assertNotEquals(0, recipe().exit());
    assertEquals(List.of("dn1 dpkg", "dn1 cp", "dn1 install.sh", "dn1 stops", "dn1 starts",
        "dn1 is awaited"), Files.readAllLines(directory.resolve("log")));
  }

  @Test
  public void recipe_noInstallationWhereItRuns_stopsBeforeTheFirstDataNode() throws Exception {
    host.environment.put("STOCK", "1");
    assertNotEquals(0, recipe().exit());
    assertFalse(Files.exists(directory.resolve("log")));
  }

  /** Another one must not go down while nobody knows whether this one is up. */
  @Test
  public void recipe_dataNodeDoesNotEndOrItsHostIsCutOff_stops() throws Exception {
    for (Map.Entry<String, Integer> fault : Map.of("HANGS", 7, "CUT_OFF", 255).entrySet()) {
      Files.deleteIfExists(directory.resolve("log"));
      host.environment.put(fault.getKey(), "dn1");
      assertEquals((int) fault.getValue(), recipe().exit());
      assertEquals(List.of("dn1 dpkg", "dn1 cp", "dn1 install.sh", "dn1 stops"),
          Files.readAllLines(directory.resolve("log")));
      host.environment.put(fault.getKey(), "");
    }
  }

  private Run recipe() throws Exception {
    String script = Files.readAllLines(DOCUMENT).stream()
        .dropWhile(line -> !line.equals("### Install on all DataNodes in turn"))
        .dropWhile(line -> !line.equals("    set -e"))
        .takeWhile(line -> line.startsWith("    ")).collect(Collectors.joining("\n"));
    return Run.of(host.environment, List.of("/usr/bin/timeout", "60", "bash", "-c",
        "cd '" + directory + "'\n" + script));
  }
}
