/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.replay;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

import io.hdfslocalcache.replay.benchmark.Bench;
import io.hdfslocalcache.replay.benchmark.Benchmark;
import io.hdfslocalcache.replay.benchmark.TaskJob;
import io.hdfslocalcache.replay.benchmark.measure.Tally;
import io.hdfslocalcache.replay.text.Text;
import io.hdfslocalcache.replay.trace.Trace;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * Does the reads of a trace again, each reader's in a task, at their times. Writes and short-circuit
 * reads of the trace are left out. The idea, and how lateness is counted, are from Hadoop's
 * Dynamometer, which does it for a NameNode.
 */
public final class Replay implements Benchmark {

  private final Trace trace;
  private final Options options;
  private final Map<String, Object> settings = new LinkedHashMap<>();
  private int tasks;

  /**
   * What can be chosen.
   *
   * @param source where the trace came from
   * @param rate how much faster than the original time passes
   * @param mappers number of tasks at most; 0: one for each reader
   * @param threads reads that a task has in progress at most
   * @param lateMillis a read that begins later than this after its time is late
   * @param warmUpMillis reads in this time from the beginning are done, but in no figure
   * @param data directory in HDFS of files to read; written if it is not there; null: written, and
   *     deleted afterwards
   * @param maxBytes bytes of data to write at most
   * @param blockSize bytes of a block of what is written; 0: the cluster's
   */
  public record Options(String source, double rate, int mappers, int threads, long lateMillis,
      long warmUpMillis, String data, long maxBytes, long blockSize) {
  }

  /**
   * Takes a trace.
   *
   * @throws IOException if it does not tell who read, if nobody did, or if the trace is over
   *     before the warm-up
   */
  public Replay(Trace trace, Options options) throws IOException {
    if (!trace.hasReaders()) {
      throw new IOException(
          "the trace has no column reader, so it cannot be replayed by reader");
    }
    if (Mapping.blocksRead(trace) == 0) {
      throw new IOException("there are no reads in the trace");
    }
    this.trace = trace;
    this.options = options;
    checkWarmUp();
  }

  @Override
  public String name() {
    return "replay";
  }

  @Override
  public Map<String, Object> settings() {
    return settings;
  }

  @Override
  public long warmUpMillis() {
    return options.warmUpMillis();
  }

  private static Path input(Bench bench) {
    return new Path(bench.directory(), "input");
  }

  @Override
  public Map<String, Tally> prepare(Bench bench) throws IOException, InterruptedException {
    Data data = data(bench);
    Mapping mapping = new Mapping(trace, data.places());
    Input.writeFiles(bench.hdfs(), input(bench), data.files());
    Split split = new Split(trace, options.rate(), options.mappers());
    split.write(bench.hdfs(), input(bench), mapping);
    tasks = split.tasks();
    settings.put("trace", options.source());
    settings.put("rate", options.rate());
    settings.put("hours of the trace", trace.spanMillis() / 3_600_000.0);
    settings.put("readers in the trace", trace.readers().size());
    settings.put("tasks", tasks);
    settings.put("threads of a task", options.threads());
    settings.put("late after ms", options.lateMillis());
    settings.put("warm-up, ms, in no figure", options.warmUpMillis());
    settings.put("blocks read in the trace", Mapping.blocksRead(trace));
    settings.put("blocks to read here", data.places().size());
    settings.put("bytes to read from", data.places().stream().mapToLong(Data.Place::length).sum());
    settings.put("reads to do", split.operations());
    settings.put("not to be done: writes, short-circuit", split.notReads());
    settings.put("not to be done: without bytes", split.empty());
    settings.put("offset wrapped, block too large", mapping.wrapped());
    settings.put("length shortened, block too large", mapping.shortened());
    return Map.of();
  }

  /** A run that is all warm-up has no figures. */
  private void checkWarmUp() throws IOException {
    long millis = (long) (trace.spanMillis() / options.rate());
    if (options.warmUpMillis() > 0 && options.warmUpMillis() >= millis) {
      throw new IOException(Text.format("--warm-up: the trace at this rate takes %.1f s, "
          + "so that nothing would be left", millis / 1000.0));
    }
  }

  private Data data(Bench bench) throws IOException, InterruptedException {
    Path directory = options.data() == null ? new Path(bench.directory(), "data")
        : new Path(options.data());
    if (!bench.hdfs().exists(directory)) {
      long blockSize = options.blockSize() > 0 ? options.blockSize()
          : bench.hdfs().getDefaultBlockSize(directory);
      int blocks = (int) Math.max(1, Math.min(
          Mapping.blocksRead(trace), options.maxBytes() / blockSize));
      bench.say("Writing " + blocks + " blocks of " + blockSize + " bytes");
      Data.write(bench, directory, blocks, blockSize);
    }
    return Data.find(bench.hdfs(), directory);
  }

  @Override
  public Map<String, Tally> run(Bench bench, Path output, long startMillis)
      throws IOException, InterruptedException {
    Configuration conf = new Configuration(bench.conf());
    conf.set(ReplayMapper.INPUT, input(bench).toString());
    conf.setInt(ReplayMapper.THREADS, options.threads());
    conf.setLong(ReplayMapper.WARM_UP, options.warmUpMillis());
    conf.setLong(ReplayMapper.LATE, options.lateMillis());
    return new TaskJob("local cache replay", ReplayMapper.class, tasks, startMillis, output)
        .run(bench, conf);
  }
}
