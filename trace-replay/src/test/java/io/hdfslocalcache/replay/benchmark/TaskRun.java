/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;
import java.net.URI;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.map.WrappedMapper;
import org.apache.hadoop.mapreduce.task.MapContextImpl;
import org.junit.rules.TemporaryFolder;

/** Runs a task of a benchmark in this thread, on the local file system, long after its start. */
final class TaskRun {

  /** When the job began, before now: every read is due, and the first of them is this late. */
  static final long AGO_MILLIS = 60_000;

  private final Configuration conf = new Configuration();
  private final Path directory;

  TaskRun(TemporaryFolder temporary) {
    conf.set(FileSystem.FS_DEFAULT_NAME_KEY, "file:///");
    directory = new Path(temporary.getRoot().toURI());
  }

  /** @return the local file system, which needs no Hadoop to be configured. */
  static FileSystem local() throws IOException {
    FileSystem fs = new LocalFileSystem();
    fs.initialize(URI.create("file:///"), new Configuration());
    return fs;
  }

  /** @return something in the directory for temporary files. */
  Path path(String name) {
    return new Path(directory, name);
  }

  /** @return what the task has counted. */
  Tally of(int task, ReplayMapper.Order order)
      throws IOException, InterruptedException {
    conf.set(ReplayMapper.ORDER, new ObjectMapper().writeValueAsString(order));
    conf.setLong(ReplayMapper.ORIGIN, System.currentTimeMillis() - AGO_MILLIS);
    Tally[] counted = new Tally[1];
    new ReplayMapper().map(new LongWritable(), new Text(Integer.toString(task)),
        new WrappedMapper<LongWritable, Text, Text, Tally>().getMapContext(new MapContextImpl<>(
            conf, new TaskAttemptID(), null, new RecordWriter<Text, Tally>() {
              @Override
              public void write(Text name, Tally tally) {
                counted[0] = tally;
              }

              @Override
              public void close(TaskAttemptContext context) {
                // Nothing is open.
              }
            }, null, null, null)));
    return counted[0];
  }
}
