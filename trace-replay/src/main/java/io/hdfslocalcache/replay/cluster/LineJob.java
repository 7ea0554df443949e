/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;

/** MapReduce jobs with a mapper for each file of lines, which writes records by name. */
public final class LineJob {

  private static final long SIGN_OF_LIFE_SECONDS = 10;

  private LineJob() {
  }

  /**
   * @return a configuration with the files of YARN and MapReduce, loaded by their classes. Options
   *     do not use these classes, so that help works without them.
   */
  static Configuration configuration(Configuration base) {
    return new JobConf(base);
  }

  /**
   * Prepares a job.
   *
   * @param name name shown by the cluster
   * @param mapper mapper of each task
   * @param input directory of files, none of which is empty
   * @param output directory for the records; created by the job
   * @param record class of the records
   */
  public static Job of(Configuration conf, String name,
      Class<? extends Mapper<LongWritable, Text, Text, ?>> mapper, Path input, Path output,
      Class<? extends Writable> record) throws IOException {
    Job job = Job.getInstance(conf, name);
    job.setJarByClass(mapper);
    FileInputFormat.addInputPath(job, input);
    FileInputFormat.setMinInputSplitSize(job, Long.MAX_VALUE);
    job.setMapperClass(mapper);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(record);
    FileOutputFormat.setOutputPath(job, output);
    return job;
  }

  /** Reports until closed that a task is alive: one that only waits or computes would be killed. */
  public static Closeable showLife(TaskAttemptContext task) {
    ScheduledExecutorService alive = Executors.newSingleThreadScheduledExecutor();
    alive.scheduleAtFixedRate(task::progress, 0, SIGN_OF_LIFE_SECONDS, TimeUnit.SECONDS);
    return alive::shutdownNow;
  }

  /** Runs a job to its end. @throws IOException if it fails */
  public static void run(Job job) throws IOException, InterruptedException {
    try {
      if (!job.waitForCompletion(false)) {
        throw new IOException(job.getJobName() + " failed: " + reason(job));
      }
    } catch (ClassNotFoundException e) {
      throw new IOException(job.getJobName() + ": no class " + e.getMessage(), e);
    }
  }

  private static String reason(Job job) throws IOException, InterruptedException {
    String info = job.getStatus().getFailureInfo();
    return info == null || info.isBlank() || info.equals("NA")
        ? "see the log of " + job.getJobID() : info.lines().findFirst().orElse("").trim();
  }

  /**
   * Reads the records of a job.
   *
   * @param value receives each record in turn
   */
  public static <V extends Writable> void forEach(Configuration conf, Path output, V value,
      BiConsumer<String, V> consumer) throws IOException {
    FileSystem fs = output.getFileSystem(conf);
    for (FileStatus part : fs.listStatus(output, path -> path.getName().startsWith("part-"))) {
      try (SequenceFile.Reader reader =
               new SequenceFile.Reader(conf, SequenceFile.Reader.file(part.getPath()))) {
        Text key = new Text();
        while (reader.next(key, value)) {
          consumer.accept(key.toString(), value);
        }
      }
    }
  }
}
