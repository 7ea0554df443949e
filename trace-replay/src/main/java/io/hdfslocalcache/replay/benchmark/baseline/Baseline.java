/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.baseline;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.replay.benchmark.Bench;
import io.hdfslocalcache.replay.benchmark.Benchmark;
import io.hdfslocalcache.replay.benchmark.BenchmarkException;
import io.hdfslocalcache.replay.benchmark.Filler;
import io.hdfslocalcache.replay.benchmark.job.TaskJob;
import io.hdfslocalcache.replay.benchmark.measure.Tally;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/** Writes a file to one DataNode, with one replica, and reads it again and again. */
public final class Baseline implements Benchmark {

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
      new Filler(SEED).write(out, options.bytes());
    }
    checkPlace(hdfs, bench, node);
    return Map.of();
  }

  private DatanodeInfo choose(DatanodeInfo[] live) throws BenchmarkException {
    List<String> names = new ArrayList<>();
    for (DatanodeInfo node : live) {
      if (options.dataNode() == null || List.of(node.getHostName(), node.getIpAddr(),
          node.getXferAddr(), node.getXferAddrWithHostname()).contains(options.dataNode())) {
        return node;
      }
      names.add(node.getXferAddrWithHostname());
    }
    throw new BenchmarkException(live.length == 0 ? "the cluster has no live DataNode"
        : options.dataNode() + ": no live DataNode; there are " + String.join(", ", names));
  }

  /** The NameNode may not keep to the wish: a full DataNode gets nothing. */
  private static void checkPlace(DistributedFileSystem hdfs, Bench bench, DatanodeInfo node)
      throws IOException {
    for (BlockLocation block
        : hdfs.getFileBlockLocations(file(bench), 0, Long.MAX_VALUE)) {
      if (!List.of(block.getNames()).equals(List.of(node.getXferAddr()))) {
        throw new BenchmarkException("the NameNode put a block on " + String.join(", ",
            block.getNames()) + " instead of " + node.getXferAddr());
      }
    }
  }

  @Override
  public Map<String, Tally> run(Bench bench, Path output, long startMillis)
      throws IOException, InterruptedException {
    Configuration conf = new Configuration(bench.conf());
    conf.set(BaselineMapper.FILE, file(bench).toString());
    conf.setLong(BaselineMapper.LENGTH, options.bytes());
    conf.setInt(BaselineMapper.PASSES, options.passes());
    conf.setInt(BaselineMapper.BUFFER, BUFFER);
    return TaskJob.run(conf, new TaskJob.Order("local cache baseline", BaselineMapper.class, 1,
        startMillis, output));
  }
}
