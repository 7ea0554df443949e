/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.replay.benchmark.BenchmarkCommand.Bench;
import io.hdfslocalcache.replay.cluster.LineJob;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * A job of tasks that measure.
 *
 * @param name as the cluster shows it
 * @param mapper what each task does
 * @param tasks how many
 * @param startMillis when they all begin, in milliseconds since 1970
 * @param output directory for the tallies; made by the job
 */
record TaskJob(String name, Class<? extends TaskMapper> mapper, int tasks,
    long startMillis, Path output) {

  /** When the tasks begin, in milliseconds since 1970. */
  static final String ORIGIN = "local.cache.benchmark.origin";
  /** What the tasks are told, as JSON. */
  static final String ORDER = "local.cache.benchmark.order";
  /** By default, the LocalJobRunner runs one task at a time. */
  private static final String LOCAL_TASKS = "mapreduce.local.map.tasks.maximum";

  /**
   * Runs it to its end, and adds up what the tasks have counted.
   *
   * @param order what the mapper is told: a record of values that JSON has
   * @return tallies by name, each the sum over the tasks
   * @throws IOException if the job fails
   */
  Map<String, Tally> run(Bench bench, Object order)
      throws IOException, InterruptedException {
    List<String> numbers = IntStream.range(0, tasks).mapToObj(Integer::toString).toList();
    Job job = LineJob.of(settings(bench.conf(), order), name, mapper,
        new Path(bench.directory(), "tasks/" + output.getName()), numbers, output);
    job.setOutputValueClass(Tally.class);
    LineJob.run(job);
    Map<String, Tally> sums = new TreeMap<>();
    LineJob.forEach(bench.conf(), output, new Tally(), (key, tally) ->
        sums.computeIfAbsent(key, n -> new Tally()).add(tally));
    return sums;
  }

  private Configuration settings(Configuration conf, Object order) throws IOException {
    Configuration settings = new Configuration(conf);
    settings.set(ORDER, new ObjectMapper().writeValueAsString(order));
    settings.setLong(ORIGIN, startMillis);
    settings.setInt(LOCAL_TASKS, Math.max(1, tasks));
    // A second attempt would read what the first has read already, and at another time.
    settings.setBoolean(MRJobConfig.MAP_SPECULATIVE, false);
    settings.setInt(MRJobConfig.MAP_MAX_ATTEMPTS, 1);
    return settings;
  }
}
