/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

import io.hdfslocalcache.replay.benchmark.measure.Clock;
import io.hdfslocalcache.replay.benchmark.measure.Tally;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;

/** Writes files, one mapper for each, and reads them with many mappers at a time. */
public final class Scale implements Benchmark {

  private static final String DIRECTORY = "local.cache.benchmark.read.directory";
  private static final String FILES = "local.cache.benchmark.read.files";
  private static final String LENGTH = "local.cache.benchmark.read.length";
  private static final String SIZE = "local.cache.benchmark.read.size";
  private static final String PASSES = "local.cache.benchmark.read.passes";
  private static final String RANDOM = "local.cache.benchmark.read.random";
  private static final String SEED = "local.cache.benchmark.read.seed";

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
    long blockSize = options.blockSize() > 0 ? options.blockSize()
        : bench.hdfs().getDefaultBlockSize(data(bench));
    return WriteMapper.write(bench, "local cache scale write", data(bench), options.files(),
        options.files(), options.bytes(), blockSize);
  }

  @Override
  public Map<String, Tally> run(Bench bench, Path output, long startMillis)
      throws IOException, InterruptedException {
    Configuration conf = new Configuration(bench.conf());
    conf.set(DIRECTORY, data(bench).toString());
    conf.setInt(FILES, options.files());
    conf.setLong(LENGTH, options.bytes());
    conf.setInt(SIZE, options.readSize());
    conf.setInt(PASSES, options.passes());
    conf.setBoolean(RANDOM, options.random());
    conf.setLong(SEED, options.seed());
    return new TaskJob("local cache scale read", Reader.class, options.readers(), startMillis,
        output).run(bench, conf);
  }

  /** Reads one of the files: all of it, or at random places. */
  public static final class Reader extends TaskMapper {

    @Override
    protected void run(int task, FileSystem fs, Clock clock, Context context)
        throws IOException, InterruptedException {
      Configuration conf = context.getConfiguration();
      Path file = WriteMapper.file(new Path(conf.get(DIRECTORY)), task % conf.getInt(FILES, 1));
      long length = conf.getLong(LENGTH, 0);
      byte[] buffer = new byte[conf.getInt(SIZE, 0)];
      Tally tally = new Tally();
      long begin = clock.micros();
      for (int pass = 0; pass < conf.getInt(PASSES, 1); pass++) {
        if (conf.getBoolean(RANDOM, false)) {
          readAtRandom(fs, file, length, buffer, clock, tally,
              new Random(conf.getLong(SEED, 0) * 31 + task + 1_000_003L * pass));
        } else {
          readAll(fs, file, length, buffer, clock, tally);
        }
      }
      tally.addTaskMillis((clock.micros() - begin) / 1000);
      context.write(new Text("read"), tally);
    }

    /** As many bytes as the file has, in multiples of the size of a read. */
    private static void readAtRandom(FileSystem fs, Path file, long length, byte[] buffer,
        Clock clock, Tally tally, Random random) throws IOException {
      long places = Math.max(1, length / buffer.length);
      int size = (int) Math.min(buffer.length, length);
      try (FSDataInputStream in = fs.open(file)) {
        for (long i = 0; i < places; i++) {
          long offset = (long) (random.nextDouble() * places) * size;
          long start = clock.micros();
          in.readFully(offset, buffer, 0, size);
          tally.add(start, clock.micros(), size);
        }
      }
    }
  }
}
