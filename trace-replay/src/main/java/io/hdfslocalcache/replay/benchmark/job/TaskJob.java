/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.job;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

import io.hdfslocalcache.replay.benchmark.BenchmarkException;
import io.hdfslocalcache.replay.benchmark.measure.Tally;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;

/** Runs a job of tasks and adds up what they have counted. */
public final class TaskJob {

  /** Number of tasks. */
  static final String TASKS = "local.cache.benchmark.tasks";
  /** When the tasks begin, in milliseconds since 1970. */
  static final String ORIGIN = "local.cache.benchmark.origin";

  /** By default, the LocalJobRunner runs one task at a time. */
  private static final String LOCAL_TASKS = "mapreduce.local.map.tasks.maximum";

  private TaskJob() {
  }

  /**
   * What to run.
   *
   * @param name as the cluster shows it
   * @param mapper what each task does
   * @param tasks how many
   * @param startMillis when they all begin, in milliseconds since 1970
   * @param output directory for the tallies; made by the job
   */
  public record Order(String name, Class<? extends TaskMapper> mapper, int tasks,
      long startMillis, Path output) {
  }

  /**
   * Runs a job to its end.
   *
   * @param conf the cluster's configuration, with what the mapper wants to know
   * @return tallies by name, each the sum over the tasks
   * @throws BenchmarkException if the job fails
   */
  public static Map<String, Tally> run(Configuration conf, Order order)
      throws IOException, InterruptedException {
    Job job = Job.getInstance(settings(conf, order), order.name());
    job.setJarByClass(TaskJob.class);
    job.setInputFormatClass(TaskInputFormat.class);
    job.setMapperClass(order.mapper());
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(Tally.class);
    FileOutputFormat.setOutputPath(job, order.output());
    try {
      if (!job.waitForCompletion(false)) {
        throw new BenchmarkException(order.name() + " failed: " + reason(job));
      }
    } catch (ClassNotFoundException e) {
      throw new BenchmarkException(order.name() + ": no class " + e.getMessage(), e);
    }
    return sum(conf, order.output());
  }

  private static Configuration settings(Configuration conf, Order order) {
    Configuration settings = new Configuration(conf);
    settings.setInt(TASKS, order.tasks());
    settings.setLong(ORIGIN, order.startMillis());
    settings.setInt(LOCAL_TASKS, Math.max(1, order.tasks()));
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

  private static Map<String, Tally> sum(Configuration conf, Path output) throws IOException {
    FileSystem fs = output.getFileSystem(conf);
    Map<String, Tally> sums = new TreeMap<>();
    for (FileStatus part : fs.listStatus(output, path -> path.getName().startsWith("part-"))) {
      try (SequenceFile.Reader reader =
               new SequenceFile.Reader(conf, SequenceFile.Reader.file(part.getPath()))) {
        Text name = new Text();
        Tally tally = new Tally();
        while (reader.next(name, tally)) {
          sums.computeIfAbsent(name.toString(), n -> new Tally()).add(tally);
        }
      }
    }
    return sums;
  }
}
