/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.hdfslocalcache.harness.Run;
import org.junit.After;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/**
 * Runs the quick start as it is written, on a NameNode and two DataNodes, and compares what the
 * commands print: on each Hadoop and Java that README.md has in its table. What was printed is in
 * {@code target/quick-start-VERSION-javaN/record.txt}.
 */
@RunWith(Parameterized.class)
public final class TestInstalledQuickStart {

  private static final Path ROOT = Path.of(System.getProperty("root")).toAbsolutePath().normalize();
  private static final String STEP = "@@@ ";

  private final String version;
  private final String java;
  private final Path directory;
  private final Path home;
  private final Path ssd;
  private InstalledTree tree;

  public TestInstalledQuickStart(String version, String java) {
    this.version = version;
    this.java = java;
    directory = Path.of("target/quick-start-" + version + "-java" + java).toAbsolutePath();
    home = directory.resolve("hadoop");
    ssd = directory.resolve("ssd");
  }

  @Parameters(name = "Hadoop {0}, Java {1}")
  public static List<Object[]> supported() throws Exception {
    return new SupportTable(ROOT.resolve("README.md")).rows();
  }

  @After
  public void tearDown() throws Exception {
    if (tree != null) {
      tree.killDaemons();
    }
  }

  @Test
  public void quickStart_printsWhatIsWritten() throws Exception {
    tree = InstalledTree.alone(directory, version, java);
    InstalledConf cluster = new InstalledConf(directory, 2);
    cluster.configure(home.resolve("etc/hadoop"), 1);
    cluster.configure(home.resolve("etc/hadoop-2"), 2);
    Files.createDirectories(ssd);
    assertEquals(0, tree.run("hdfs namenode -format -nonInteractive").exit());
    Map<String, String> before = programs();
    tree.startDataNodes("hdfs --daemon start namenode\n"
        + "HADOOP_IDENT_STRING=1 hdfs --daemon start datanode\n"
        + "HADOOP_IDENT_STRING=2 hdfs --config $HADOOP_HOME/etc/hadoop-2 --daemon start datanode",
        "1", "2");

    List<RunnableDocument.Step> steps =
        new RunnableDocument(ROOT.resolve("docs/quick-start.md")).steps();
    List<List<String>> outputs = run(steps);
    StringBuilder wrong = new StringBuilder();
    for (int i = 0; i < steps.size(); i++) {
      RunnableDocument.Step step = steps.get(i);
      if (!step.matches(outputs.get(i))) {
        wrong.append("line ").append(step.line() + 1).append(": ").append(step.command())
            .append("\n  expected:\n").append(String.join("\n", step.expected()))
            .append("\n  printed:\n").append(String.join("\n", outputs.get(i))).append('\n');
      }
    }
    assertEquals("", wrong.toString());
    assertEquals("what is left in HADOOP_HOME", before, programs());
  }

  /** Everything but configuration, logs and process ids. */
  private Map<String, String> programs() throws Exception {
    Map<String, String> all = new TreeMap<>();
    for (String part : List.of("bin", "libexec", "share")) {
      Listing.of(home.resolve(part)).forEach((path, line) -> all.put(part + "/" + path, line));
    }
    return all;
  }

  private List<List<String>> run(List<RunnableDocument.Step> steps) throws Exception {
    StringBuilder script = new StringBuilder("set -e\nexport HADOOP_IDENT_STRING=1\nSSD=" + ssd
        + "\ncd " + directory + "\nln -s " + ROOT + "/dist/target/hdfs-local-cache-*.tar.gz .\n");
    for (RunnableDocument.Step step : steps) {
      boolean fails = step.expected().stream().anyMatch(line -> line.startsWith("ERROR:"));
      script.append("echo '").append(STEP).append("'\n").append(step.command())
          .append(fails ? " || true\n" : "\n");
    }
    Run run = tree.run(script.toString());
    Files.writeString(directory.resolve("record.txt"), record(steps, run.out()));
    List<List<String>> outputs = new ArrayList<>();
    for (String line : readable(run.out()).lines().toList()) {
      if (line.equals(STEP)) {
        outputs.add(new ArrayList<>());
      } else if (!outputs.isEmpty()) {
        outputs.get(outputs.size() - 1).add(line);
      }
    }
    while (outputs.size() < steps.size()) {
      outputs.add(Collections.singletonList("(was not run)"));
    }
    return outputs;
  }

  private String record(List<RunnableDocument.Step> steps, String out) {
    StringBuilder record = new StringBuilder();
    int next = 0;
    for (String line : readable(out).lines().toList()) {
      record.append("    ").append(line.equals(STEP)
          ? "$ " + steps.get(next++).command().replace("\n", "\n    > ") : line).append('\n');
    }
    return record.toString();
  }

  /** The paths of this run as a reader would have them. */
  private String readable(String out) {
    // Ports decide which DataNode comes first.
    return out.replace(home.toString(), "/opt/hadoop").replace(ssd.toString(), "/ssd/0")
        .replace("hdfs-local-cache-2:", "hdfs-local-cache:")
        .replace("hdfs-local-cache-2 ", "hdfs-local-cache ")
        .replace(directory + "/data-", "/data/");
  }
}
