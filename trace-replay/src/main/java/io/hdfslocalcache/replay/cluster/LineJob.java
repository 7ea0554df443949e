/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;

/** MapReduce jobs with a mapper for each line, which writes records by name. */
public final class LineJob {

  private static final long SIGN_OF_LIFE_SECONDS = 10;

  private LineJob() {
  }

  /**
   * @return a configuration with the files of YARN and MapReduce, which their classes load. Options
   *     do not name these classes: help is shown where they are missing.
   */
  static Configuration configuration(Configuration base) {
    return new JobConf(base);
  }

  /**
   * Prepares a job.
   *
   * @param name as the cluster shows it
   * @param mapper what each task does
   * @param input file for the lines; made here
   * @param output directory for the records; made by the job
   * @return the job, of which the class of the records is still to be set
   */
  public static Job of(Configuration conf, String name,
      Class<? extends Mapper<LongWritable, Text, Text, ?>> mapper, Path input, List<String> lines,
      Path output) throws IOException {
    try (OutputStream out = input.getFileSystem(conf).create(input)) {
      out.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    }
    Job job = Job.getInstance(conf, name);
    job.setJarByClass(mapper);
    job.setInputFormatClass(NLineInputFormat.class);
    NLineInputFormat.addInputPath(job, input);
    job.setMapperClass(mapper);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    job.setOutputKeyClass(Text.class);
    FileOutputFormat.setOutputPath(job, output);
    return job;
  }

  /** Shows that a task is alive until it is closed. */
  public interface Life extends AutoCloseable {
    @Override
    void close();
  }

  /** Shows that a task is alive: one that only waits or computes would be killed. */
  public static Life showLife(TaskAttemptContext task) {
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
   * @param value is each record in turn
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
