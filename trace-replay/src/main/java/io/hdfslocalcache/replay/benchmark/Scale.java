/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.util.Map;
import java.util.Random;

import io.hdfslocalcache.replay.benchmark.BenchmarkCommand.Bench;
import io.hdfslocalcache.replay.benchmark.TaskMapper.Clock;
import io.hdfslocalcache.replay.text.Checks;
import io.hdfslocalcache.replay.text.Checks.Bytes;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes files, one mapper for each, and reads them with many mappers at a time. */
@Command(name = "scale", description = "Benchmark: writes files and reads them with many readers "
    + "at a time, by MapReduce jobs.")
public final class Scale extends BenchmarkCommand {

  @Option(names = "--files", paramLabel = "N", defaultValue = "8",
      description = "Number of files (default: ${DEFAULT-VALUE}).")
  private int files;

  @Option(names = "--size", paramLabel = "SIZE", defaultValue = "64m", converter = Bytes.class,
      description = "Length of a file (default: ${DEFAULT-VALUE}).")
  private long size;

  @Option(names = "--readers", paramLabel = "N", defaultValue = "8",
      description = "Number of readers, one mapper for each (default: ${DEFAULT-VALUE}).")
  private int readers;

  @Option(names = "--random", description = "Reads at random places, not from beginning to end.")
  private boolean random;

  @Option(names = "--read-size", paramLabel = "SIZE", defaultValue = "64k", converter = Bytes.class,
      description = "Bytes of a read (default: ${DEFAULT-VALUE}).")
  private long readSize;

  @Option(names = "--passes", paramLabel = "N", defaultValue = "3", description = "How often each "
      + "reader reads as many bytes as a file has (default: ${DEFAULT-VALUE}).")
  private int passes;

  @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
      description = "The same seed gives the same places (default: ${DEFAULT-VALUE}).")
  private long seed;

  /** What the tasks are told. Reader i reads file i modulo the number of files. */
  record Order(String directory, int files, long length, int readSize, int passes, boolean random,
      long seed) {
  }

  @Override
  void check() {
    Checks.atLeast("--files", files, 1);
    Checks.atLeast("--readers", readers, 1);
    Checks.atLeast("--passes", passes, 1);
    Checks.require(readSize <= Integer.MAX_VALUE, "--read-size: must be less than 2g");
  }

  private static Path data(Bench bench) {
    return new Path(bench.directory(), "data");
  }

  @Override
  Map<String, Tally> prepare(Bench bench) throws IOException, InterruptedException {
    settings.put("files", files);
    settings.put("bytes of a file", size);
    settings.put("readers", readers);
    settings.put("reads", random ? "random" : "sequential");
    settings.put("bytes of a read", readSize);
    settings.put("passes", passes);
    settings.put("seed", seed);
    bench.say("Writing " + files + " files");
    return WriteMapper.write(bench, "local cache scale write", data(bench), files, files, size,
        blockSize(bench));
  }

  @Override
  Map<String, Tally> read(Bench bench, Path output, long startMillis)
      throws IOException, InterruptedException {
    return new TaskJob("local cache scale read", Reader.class, readers, startMillis, output)
        .run(bench, new Order(data(bench).toString(), files, size, (int) readSize, passes, random,
            seed));
  }

  /** Reads one of the files: all of it, or at random places. */
  public static final class Reader extends TaskMapper {
    @Override
    protected void run(int task, FileSystem fs, Clock clock, Context context)
        throws IOException, InterruptedException {
      Order order = order(context, Order.class);
      Path file = WriteMapper.file(new Path(order.directory()), task % order.files());
      byte[] buffer = new byte[order.readSize()];
      Tally tally = new Tally();
      long begin = clock.micros();
      for (int pass = 0; pass < order.passes(); pass++) {
        if (order.random()) {
          readAtRandom(fs, file, order.length(), buffer, clock, tally,
              new Random(order.seed() * 31 + task + 1_000_003L * pass));
        } else {
          readAll(fs, file, order.length(), buffer, clock, tally);
        }
      }
      end("read", tally, clock.micros() - begin, context);
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
