/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.replay.benchmark.measure.Clock;
import io.hdfslocalcache.replay.benchmark.measure.Tally;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.io.Text;

/** Writes a file to one DataNode, with one replica, and reads it again and again. */
public final class Baseline implements Benchmark {

  private static final String FILE = "local.cache.benchmark.baseline.file";
  private static final String LENGTH = "local.cache.benchmark.baseline.length";
  private static final String PASSES = "local.cache.benchmark.baseline.passes";
  private static final long SEED = 1;
  private static final int BUFFER = 1 << 20;

  private final Options options;
  private String dataNode;

  /**
   * What can be chosen.
   *
   * @param dataNode host, address, or either with the port for data transfer; null: any DataNode
   * @param bytes length of the file
   * @param blockSize bytes of a block; 0: the cluster's
   * @param passes how often it is read
   */
  public record Options(String dataNode, long bytes, long blockSize, int passes) {
  }

  public Baseline(Options options) {
    this.options = options;
  }

  @Override
  public String name() {
    return "baseline";
  }

  @Override
  public Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("datanode", dataNode);
    settings.put("bytes", options.bytes());
    settings.put("passes", options.passes());
    return settings;
  }

  private static Path file(Bench bench) {
    return new Path(bench.directory(), "file");
  }

  @Override
  public Map<String, Tally> prepare(Bench bench) throws IOException {
    DistributedFileSystem hdfs = bench.hdfs();
    DatanodeInfo node = choose(hdfs.getDataNodeStats(DatanodeReportType.LIVE));
    dataNode = node.getXferAddrWithHostname();
    bench.say("Writing a file to " + dataNode);
    long blockSize = options.blockSize() > 0 ? options.blockSize()
        : hdfs.getDefaultBlockSize(file(bench));
    hdfs.mkdirs(bench.directory());
    try (OutputStream out = hdfs.create(file(bench), FsPermission.getFileDefault(), true,
             BUFFER, (short) 1, blockSize, null, new InetSocketAddress[] {
                 new InetSocketAddress(node.getIpAddr(), node.getXferPort())})) {
      WriteMapper.fill(out, options.bytes(), WriteMapper.filler(SEED));
    }
    checkPlace(hdfs, bench, node);
    return Map.of();
  }

  private DatanodeInfo choose(DatanodeInfo[] live) throws IOException {
    List<String> names = new ArrayList<>();
    for (DatanodeInfo node : live) {
      if (options.dataNode() == null || List.of(node.getHostName(), node.getIpAddr(),
          node.getXferAddr(), node.getXferAddrWithHostname()).contains(options.dataNode())) {
        return node;
      }
      names.add(node.getXferAddrWithHostname());
    }
    throw new IOException(live.length == 0 ? "the cluster has no live DataNode"
        : options.dataNode() + ": no live DataNode; there are " + String.join(", ", names));
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
  public Map<String, Tally> run(Bench bench, Path output, long startMillis)
      throws IOException, InterruptedException {
    Configuration conf = new Configuration(bench.conf());
    conf.set(FILE, file(bench).toString());
    conf.setLong(LENGTH, options.bytes());
    conf.setInt(PASSES, options.passes());
    return new TaskJob("local cache baseline", Reader.class, 1, startMillis, output)
        .run(bench, conf);
  }

  /** Reads the file as often as it is told. */
  public static final class Reader extends TaskMapper {

    @Override
    protected void run(int task, FileSystem fs, Clock clock, Context context)
        throws IOException, InterruptedException {
      Configuration conf = context.getConfiguration();
      Path file = new Path(conf.get(FILE));
      byte[] buffer = new byte[BUFFER];
      for (int pass = 1; pass <= conf.getInt(PASSES, 0); pass++) {
        Tally tally = new Tally();
        long start = clock.micros();
        readAll(fs, file, conf.getLong(LENGTH, 0), buffer, clock, tally);
        tally.addTaskMillis((clock.micros() - start) / 1000);
        context.write(new Text(String.format("pass %03d", pass)), tally);
      }
    }
  }
}
