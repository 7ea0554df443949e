/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.embedded;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.replay.text.Checks;
import io.hdfslocalcache.replay.text.Checks.Bytes;
import io.hdfslocalcache.replay.text.Text;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Option;

/** The cluster that a benchmark starts for itself. */
public final class EmbeddedOptions {

  private static final long MILLION = 1_000_000;
  private static final String PREFIX = "local-cache-benchmark-";
  /** What pages may take on each DataNode, and the size of a block, unless a key says so. */
  private static final long CAPACITY = 1L << 30;
  private static final long BLOCK = 16 << 20;
  private static final long HDD_BYTES = 8L << 30;

  @Option(names = "--embedded", description = "Starts a NameNode and a DataNode with a local cache "
      + "for the benchmark, whose tasks then run in this process.")
  private boolean wanted;

  @Option(names = "--hdd", description = "The same, with the DataNode on an emulated HDD, in a "
      + "process of its own; needs root.")
  private boolean hdd;

  @Option(names = "--work", paramLabel = "DIR", description = "Where the embedded cluster keeps its "
      + "files; made if it is not there, and emptied of them in the end; default: the directory "
      + "for temporary files.")
  private Path work = Path.of(System.getProperty("java.io.tmpdir"));

  @Option(names = "--hdd-mb-per-s", paramLabel = "N", defaultValue = "160",
      description = "Millions of bytes a second that the HDD reads (default: ${DEFAULT-VALUE}).")
  private int hddMegabytes;

  @Option(names = "--hdd-iops", paramLabel = "N", defaultValue = "150",
      description = "Reads a second of the HDD (default: ${DEFAULT-VALUE}).")
  private int hddReads;

  @Option(names = "--hdd-memory", paramLabel = "SIZE", defaultValue = "1g",
      converter = Bytes.class, description = "Memory of the DataNode on the HDD, of which the OS "
          + "page cache has what is left beside up to 512 MB of heap (default: ${DEFAULT-VALUE}).")
  private long hddMemory;

  /** @return whether a cluster is to be started. */
  public boolean isWanted() {
    return wanted || hdd;
  }

  /** @return the cluster in words, for a report. */
  public String description() {
    return !hdd ? "embedded" : Text.format("embedded, HDD of %d MB/s and %d reads/s, %s of memory",
        hddMegabytes, hddReads, Sizes.text(hddMemory));
  }

  /** @return a new directory for the cluster's files. */
  public WorkDirectory newDirectory() throws IOException {
    try {
      return WorkDirectory.createIn(Files.createDirectories(work), PREFIX);
    } catch (FileAlreadyExistsException e) {
      throw new IOException("--work: cannot make " + work + ": a file of that name is there", e);
    }
  }

  /**
   * Starts the cluster.
   *
   * @param directory for its files
   * @param rate how much faster than in the trace time passes, for the rate limiter, too
   * @param dataNodes number of DataNodes; more than one only on emulated HDDs
   * @param keys of the daemons, beside those of the options
   * @throws IllegalArgumentException if an option is out of range
   */
  public EmbeddedCluster start(Path directory, double rate, int dataNodes,
      Map<String, String> keys) throws IOException {
    Checks.atLeast("--hdd-mb-per-s", hddMegabytes, 1);
    Checks.atLeast("--hdd-iops", hddReads, 1);
    if (dataNodes > 1 && !hdd) {
      throw new IOException("with --embedded there is one DataNode, but " + dataNodes
          + " are needed: use --hdd");
    }
    EmbeddedCluster.Settings settings = new EmbeddedCluster.Settings(
        directory, directory.resolve("ssd"), CAPACITY, BLOCK, keys, rate);
    return !hdd ? EmbeddedCluster.start(settings) : EmbeddedCluster.start(settings,
        new EmbeddedCluster.Hdd(HDD_BYTES, hddMegabytes * MILLION, hddReads, hddMemory), dataNodes);
  }

  /** Has tasks run in this process, with buffers as small as they can be, and many readers. */
  public static void runHere(Path directory, Configuration conf) {
    Map.of("mapreduce.framework.name", "local",
        "mapreduce.cluster.local.dir", directory.resolve("mapred").toString(),
        "mapreduce.jobtracker.staging.root.dir", directory.resolve("staging").toUri().toString(),
        "mapreduce.task.io.sort.mb", "1",
        "dfs.client.socketcache.capacity", "256",
        "dfs.client.read.striped.threadpool.size", "256").forEach(conf::set);
  }
}
