/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.replay.benchmark.BenchmarkCommand.Bench;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;

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
    Job job = Job.getInstance(settings(bench.conf(), order), name);
    job.setJarByClass(TaskJob.class);
    // A mapper for each line.
    job.setInputFormatClass(NLineInputFormat.class);
    NLineInputFormat.addInputPath(job, writeNumbers(bench));
    job.setMapperClass(mapper);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(Tally.class);
    FileOutputFormat.setOutputPath(job, output);
    try {
      if (!job.waitForCompletion(false)) {
        throw new IOException(name + " failed: " + reason(job));
      }
    } catch (ClassNotFoundException e) {
      throw new IOException(name + ": no class " + e.getMessage(), e);
    }
    return sum(bench.conf());
  }

  private Path writeNumbers(Bench bench) throws IOException {
    Path file = new Path(bench.directory(), "tasks/" + output.getName());
    String numbers = IntStream.range(0, tasks).mapToObj(task -> task + "\n")
        .collect(Collectors.joining());
    try (OutputStream out = bench.hdfs().create(file)) {
      out.write(numbers.getBytes(StandardCharsets.US_ASCII));
    }
    return file;
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

  private static String reason(Job job) throws IOException, InterruptedException {
    String info = job.getStatus().getFailureInfo();
    return info == null || info.isBlank() || info.equals("NA")
        ? "see the log of " + job.getJobID() : info.lines().findFirst().orElse("").trim();
  }

  private Map<String, Tally> sum(Configuration conf) throws IOException {
    FileSystem fs = output.getFileSystem(conf);
    Map<String, Tally> sums = new TreeMap<>();
    for (FileStatus part : fs.listStatus(output, path -> path.getName().startsWith("part-"))) {
      try (SequenceFile.Reader reader =
               new SequenceFile.Reader(conf, SequenceFile.Reader.file(part.getPath()))) {
        Text key = new Text();
        Tally tally = new Tally();
        while (reader.next(key, tally)) {
          sums.computeIfAbsent(key.toString(), n -> new Tally()).add(tally);
        }
      }
    }
    return sums;
  }
}
