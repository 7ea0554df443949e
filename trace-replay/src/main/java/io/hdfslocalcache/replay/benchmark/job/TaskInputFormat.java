/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.job;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** Gives each mapper a number from 0, and nothing else. */
public final class TaskInputFormat extends InputFormat<IntWritable, NullWritable> {

  @Override
  public List<InputSplit> getSplits(JobContext context) {
    List<InputSplit> splits = new ArrayList<>();
    int tasks = context.getConfiguration().getInt(TaskJob.TASKS, 0);
    for (int i = 0; i < tasks; i++) {
      splits.add(new Task(i));
    }
    return splits;
  }

  @Override
  public RecordReader<IntWritable, NullWritable> createRecordReader(InputSplit split,
      TaskAttemptContext context) {
    return new OneRecord(((Task) split).number);
  }

  /** The input of one mapper. */
  public static final class Task extends InputSplit implements Writable {

    private int number;

    /** For Hadoop, which fills it. */
    public Task() {
    }

    Task(int number) {
      this.number = number;
    }

    /** Of equal length, so that the order of the tasks stays. */
    @Override
    public long getLength() {
      return 1;
    }

    @Override
    public String[] getLocations() {
      return new String[0];
    }

    @Override
    public void write(DataOutput out) throws IOException {
      out.writeInt(number);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
      number = in.readInt();
    }
  }

  /** The number, once. */
  private static final class OneRecord extends RecordReader<IntWritable, NullWritable> {

    private final IntWritable number;
    private boolean given;

    OneRecord(int number) {
      this.number = new IntWritable(number);
    }

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) {
      // All is known.
    }

    @Override
    public boolean nextKeyValue() {
      boolean first = !given;
      given = true;
      return first;
    }

    @Override
    public IntWritable getCurrentKey() {
      return number;
    }

    @Override
    public NullWritable getCurrentValue() {
      return NullWritable.get();
    }

    @Override
    public float getProgress() {
      return given ? 1 : 0;
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
