/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.scale;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

import io.hdfslocalcache.replay.benchmark.Bench;
import io.hdfslocalcache.replay.benchmark.Benchmark;
import io.hdfslocalcache.replay.benchmark.job.TaskJob;
import io.hdfslocalcache.replay.benchmark.measure.Tally;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** Writes files, one mapper for each, and reads them with many mappers at a time. */
public final class Scale implements Benchmark {

  private final Options options;

  /**
   * What can be chosen.
   *
   * @param files number of files
   * @param bytes length of each
   * @param blockSize bytes of a block; 0: the cluster's
   * @param readers number of readers; reader i reads file i modulo the number of files
   * @param random whether they read at random places instead of from beginning to end
   * @param readSize bytes of a read
   * @param passes how often each reader reads as many bytes as a file has
   * @param seed of the places
   */
  public record Options(int files, long bytes, long blockSize, int readers, boolean random,
      int readSize, int passes, long seed) {
  }

  public Scale(Options options) {
    this.options = options;
  }

  @Override
  public String name() {
    return "scale";
  }

  @Override
  public Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("files", options.files());
    settings.put("bytes of a file", options.bytes());
    settings.put("readers", options.readers());
    settings.put("reads", options.random() ? "random" : "sequential");
    settings.put("bytes of a read", options.readSize());
    settings.put("passes", options.passes());
    settings.put("seed", options.seed());
    return settings;
  }

  private static Path data(Bench bench) {
    return new Path(bench.directory(), "data");
  }

  @Override
  public Map<String, Tally> prepare(Bench bench) throws IOException, InterruptedException {
    bench.say("Writing " + options.files() + " files");
    Configuration conf = new Configuration(bench.conf());
    long blockSize = options.blockSize() > 0 ? options.blockSize()
        : bench.hdfs().getDefaultBlockSize(data(bench));
    WriteMapper.configure(
        conf, data(bench), options.files(), options.files(), options.bytes(), blockSize);
    return bench.runNow("local cache scale write", WriteMapper.class, options.files(), conf);
  }

  @Override
  public Map<String, Tally> run(Bench bench, Path output, long startMillis)
      throws IOException, InterruptedException {
    Configuration conf = new Configuration(bench.conf());
    ReadMapper.configure(conf, data(bench), options);
    return TaskJob.run(conf, new TaskJob.Order("local cache scale read", ReadMapper.class,
        options.readers(), startMillis, output));
  }
}
