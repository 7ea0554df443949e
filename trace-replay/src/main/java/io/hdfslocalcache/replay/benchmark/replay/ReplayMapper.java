/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.replay;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.hdfslocalcache.replay.benchmark.Phase;
import io.hdfslocalcache.replay.benchmark.TaskMapper;
import io.hdfslocalcache.replay.benchmark.measure.Clock;
import io.hdfslocalcache.replay.benchmark.replay.Input.Operation;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;

/** Does the reads of one reader, or of several. */
public final class ReplayMapper extends TaskMapper {

  static final String INPUT = "local.cache.benchmark.replay.input";
  static final String THREADS = "local.cache.benchmark.replay.threads";
  static final String LATE = "local.cache.benchmark.replay.late";
  static final String WARM_UP = "local.cache.benchmark.replay.warm-up";

  private Operation[] operations;
  private List<Path> files;

  @Override
  protected void prepare(int task, FileSystem fs, Context context) throws IOException {
    Path input = new Path(context.getConfiguration().get(INPUT));
    files = Input.readFiles(fs, input);
    operations = Input.read(fs, input, task);
  }

  @Override
  protected void run(int task, FileSystem fs, Clock clock, Context context)
      throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    int threads = Math.min(conf.getInt(THREADS, 1), Math.max(1, operations.length));
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    Reads.Done sum = new Reads.Done();
    long begin = clock.micros();
    try (Reads reads = new Reads(operations, fs, files, clock, conf.getLong(LATE, 0),
        conf.getLong(WARM_UP, 0))) {
      List<Future<Reads.Done>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(pool.submit(reads::run));
      }
      for (Future<Reads.Done> thread : running) {
        sum.add(thread.get());
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      pool.shutdownNow();
    }
    sum.main().addTaskMillis((clock.micros() - begin) / 1000);
    context.write(new Text("replay"), sum.main());
    if (conf.getLong(WARM_UP, 0) > 0) {
      context.write(new Text(Phase.WARM_UP), sum.warmUp());
    }
  }
}
