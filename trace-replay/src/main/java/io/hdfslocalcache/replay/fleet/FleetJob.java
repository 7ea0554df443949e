/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.replay.cluster.LineJob;
import io.hdfslocalcache.replay.simulate.Disk;
import io.hdfslocalcache.replay.simulate.FleetResult;
import io.hdfslocalcache.replay.simulate.Result;
import io.hdfslocalcache.replay.simulate.Sweep;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.TraceException;
import io.hdfslocalcache.replay.trace.TraceLoader;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;

/**
 * Plays the traces of a fleet, each in a task: on YARN, or in this process if no YARN is
 * configured.
 *
 * @param conf of the cluster; not changed
 * @param traces a directory with a file for each DataNode, or a directory of files
 * @param directory where the job may write; deleted afterwards
 */
public record FleetJob(Configuration conf, Path traces, Path directory) {

  private static final String ORDER = "local.cache.fleet.order";
  private static final ObjectMapper JSON = new ObjectMapper();
  /** As for MapReduce: names such as _SUCCESS are no data. */
  private static final PathFilter VISIBLE =
      path -> !path.getName().startsWith("_") && !path.getName().startsWith(".");

  /**
   * What is done with each trace.
   *
   * @param settings what is simulated
   * @param bounds of which the clairvoyant bound is told as well
   * @param disk the HDDs of a DataNode
   * @param overload see {@link Disk#withLoad}; null: the HDDs are as they are
   * @param zone time zone of DataNodes' logs
   * @param bytesPerChecksum see {@link TraceLoader.Options}
   * @param threads how many simulations run at a time in a task
   */
  public record Order(List<Setting> settings, List<Setting> bounds, Disk disk, Double overload,
      String zone, int bytesPerChecksum, int threads) {
  }

  /**
   * What was found.
   *
   * @param results what each setting did on all DataNodes, in the settings' order
   * @param failures for each trace that cannot be used, its name and why
   */
  public record Found(List<FleetResult> results, List<String> failures) {
  }

  /**
   * What a task hands over.
   *
   * @param results what each setting did on its DataNode
   * @param failure why the trace cannot be used; null if it can
   */
  record Played(List<FleetResult> results, String failure) {
  }

  /**
   * Plays all traces.
   *
   * @throws TraceException if there are none, or none can be used
   * @throws IOException if the job fails
   */
  public Found run(Order order) throws IOException, InterruptedException {
    List<String> each = Arrays.stream(traces.getFileSystem(conf).listStatus(traces, VISIBLE))
        .map(status -> status.getPath().toString()).sorted().toList();
    if (each.isEmpty()) {
      throw new TraceException(traces + ": no traces");
    }
    Configuration settings = new Configuration(conf);
    settings.set(ORDER, JSON.writeValueAsString(order));
    Path records = new Path(directory, "records");
    Job job = LineJob.of(settings, "local cache simulations", TraceMapper.class,
        new Path(directory, "traces"), each, records);
    job.setOutputValueClass(Text.class);
    LineJob.run(job);
    Map<String, String> byName = new TreeMap<>();
    LineJob.forEach(conf, records, new Text(), (name, json) -> byName.put(name, json.toString()));
    directory.getFileSystem(conf).delete(directory, true);
    return join(byName);
  }

  private Found join(Map<String, String> byName) throws IOException {
    List<String> failures = new ArrayList<>();
    List<List<FleetResult>> played = new ArrayList<>();
    for (Map.Entry<String, String> each : byName.entrySet()) {
      Played one = JSON.readValue(each.getValue(), Played.class);
      if (one.failure == null) {
        played.add(one.results);
      } else {
        failures.add(each.getKey() + ": " + one.failure);
      }
    }
    if (played.isEmpty()) {
      throw new TraceException("no trace can be used; the first: " + failures.get(0));
    }
    return new Found(IntStream.range(0, played.get(0).size()).mapToObj(i ->
        FleetResult.join(played.stream().map(results -> results.get(i)).toList())).toList(),
        failures);
  }

  /** Plays a trace. */
  public static final class TraceMapper extends Mapper<LongWritable, Text, Text, Text> {

    @Override
    protected void map(LongWritable offset, Text line, Context context)
        throws IOException, InterruptedException {
      Path trace = new Path(line.toString());
      Order order = JSON.readValue(context.getConfiguration().get(ORDER), Order.class);
      Played played;
      try {
        played = new Played(play(trace, order, context), null);
      } catch (TraceException | IllegalArgumentException e) {
        played = new Played(List.of(), e.getMessage());
      }
      context.write(new Text(trace.getName()), new Text(JSON.writeValueAsString(played)));
    }

    private static List<FleetResult> play(Path source, Order order, Context context)
        throws IOException {
      Trace trace = load(source, order, context);
      Disk disk = order.overload == null ? order.disk : order.disk.withLoad(trace, order.overload);
      Sweep sweep = new Sweep(trace, disk, order.threads, n -> context.progress());
      List<Result> results = new ArrayList<>(sweep.run(order.settings));
      results.addAll(sweep.run(order.bounds));
      results.addAll(sweep.bounds(order.bounds));
      return results.stream().map(result -> FleetResult.of(source.getName(), result)).toList();
    }

    /** Traces are read from local files: they are small, and read by position. */
    private static Trace load(Path source, Order order, Context context) throws IOException {
      FileSystem fs = source.getFileSystem(context.getConfiguration());
      java.nio.file.Path local = Files.createTempDirectory("trace");
      try {
        List<java.nio.file.Path> files = new ArrayList<>();
        // Of a file, this is the file itself.
        for (FileStatus file : fs.listStatus(source, VISIBLE)) {
          java.nio.file.Path copy = local.resolve(file.getPath().getName());
          fs.copyToLocalFile(false, file.getPath(), new Path(copy.toUri()), true);
          files.add(copy);
        }
        return TraceLoader.load(files, new TraceLoader.Options(
            ZoneId.of(order.zone), order.bytesPerChecksum, false), n -> context.progress())
            .trace();
      } finally {
        FileUtils.deleteDirectory(local.toFile());
      }
    }
  }
}
