/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.replay.benchmark.BenchmarkCommand.Bench;
import io.hdfslocalcache.replay.benchmark.TaskMapper.Clock;
import io.hdfslocalcache.replay.text.Checks;
import io.hdfslocalcache.replay.text.Checks.Bytes;
import io.hdfslocalcache.replay.text.Text;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes a file to one DataNode, with one replica, and reads it again and again. */
@Command(name = "baseline", description = "Benchmark: writes a file to one DataNode and reads it "
    + "again and again, by a MapReduce job.")
public final class Baseline extends BenchmarkCommand {

  private static final long SEED = 1;
  private static final int BUFFER = 1 << 20;

  @Option(names = "--datanode", paramLabel = "HOST[:PORT]",
      description = "Which DataNode; default: any.")
  private String dataNode;

  @Option(names = "--size", paramLabel = "SIZE", defaultValue = "256m", converter = Bytes.class,
      description = "Length of the file (default: ${DEFAULT-VALUE}).")
  private long size;

  @Option(names = "--passes", paramLabel = "N", defaultValue = "10",
      description = "How often the file is read (default: ${DEFAULT-VALUE}).")
  private int passes;

  /** What the task is told. */
  record Order(String file, long length, int passes) {
  }

  @Override
  void check() {
    Checks.atLeast("--passes", passes, 1);
  }

  private static Path file(Bench bench) {
    return new Path(bench.directory(), "file");
  }

  @Override
  Map<String, Tally> prepare(Bench bench) throws IOException {
    DistributedFileSystem hdfs = bench.hdfs();
    DatanodeInfo node = choose(hdfs.getDataNodeStats(DatanodeReportType.LIVE));
    settings.put("datanode", node.getXferAddrWithHostname());
    settings.put("bytes", size);
    settings.put("passes", passes);
    bench.say("Writing a file to " + node.getXferAddrWithHostname());
    hdfs.mkdirs(bench.directory());
    try (OutputStream out = hdfs.create(file(bench), FsPermission.getFileDefault(), true,
             BUFFER, (short) 1, blockSize(bench), null, new InetSocketAddress[] {
                 new InetSocketAddress(node.getIpAddr(), node.getXferPort())})) {
      WriteMapper.fill(out, size, WriteMapper.filler(SEED));
    }
    checkPlace(hdfs, bench, node);
    return Map.of();
  }

  private DatanodeInfo choose(DatanodeInfo[] live) throws IOException {
    List<String> names = new ArrayList<>();
    for (DatanodeInfo node : live) {
      if (dataNode == null || List.of(node.getHostName(), node.getIpAddr(),
          node.getXferAddr(), node.getXferAddrWithHostname()).contains(dataNode)) {
        return node;
      }
      names.add(node.getXferAddrWithHostname());
    }
    throw new IOException(live.length == 0 ? "the cluster has no live DataNode"
        : dataNode + ": no live DataNode; there are " + String.join(", ", names));
  }

  /** The NameNode may not keep to the wish: a full DataNode gets nothing. */
  private static void checkPlace(DistributedFileSystem hdfs, Bench bench, DatanodeInfo node)
      throws IOException {
    for (BlockLocation block
        : hdfs.getFileBlockLocations(file(bench), 0, Long.MAX_VALUE)) {
      if (!List.of(block.getNames()).equals(List.of(node.getXferAddr()))) {
        throw new IOException("the NameNode put a block on " + String.join(", ",
            block.getNames()) + " instead of " + node.getXferAddr());
      }
    }
  }

  @Override
  Map<String, Tally> read(Bench bench, Path output, long startMillis)
      throws IOException, InterruptedException {
    return new TaskJob("local cache baseline", Reader.class, 1, startMillis, output)
        .run(bench, new Order(file(bench).toString(), size, passes));
  }

  /** Reads the file as often as it is told. */
  public static final class Reader extends TaskMapper {
    @Override
    protected void run(int task, FileSystem fs, Clock clock, Context context)
        throws IOException, InterruptedException {
      Order order = order(context, Order.class);
      byte[] buffer = new byte[BUFFER];
      for (int pass = 1; pass <= order.passes(); pass++) {
        Tally tally = new Tally();
        long start = clock.micros();
        readAll(fs, new Path(order.file()), order.length(), buffer, clock, tally);
        end(Text.format("pass %03d", pass), tally, clock.micros() - start, context);
      }
    }
  }
}
