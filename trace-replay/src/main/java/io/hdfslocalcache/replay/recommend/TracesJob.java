/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.recommend;

import java.io.IOException;
import java.nio.file.Files;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.replay.cluster.LineJob;
import io.hdfslocalcache.replay.recommend.Recommender.Wish;
import io.hdfslocalcache.replay.simulate.Disk;
import io.hdfslocalcache.replay.simulate.Result;
import io.hdfslocalcache.replay.simulate.Sweep;
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
 * Recommends for all DataNodes of a cluster. Each one's trace is played in a map task: on YARN, or
 * in this process if no YARN is configured.
 *
 * @param conf of the cluster; not changed
 * @param traces a directory with a file for each DataNode, or a directory of files
 * @param directory where the job may write; deleted afterwards
 */
public record TracesJob(Configuration conf, Path traces, Path directory) {

  private static final String ORDER = "trace-replay.order";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final PathFilter VISIBLE =
      path -> !path.getName().startsWith("_") && !path.getName().startsWith(".");

  /**
   * What each task does.
   *
   * @param wish what the operator has on each DataNode
   * @param disk the HDDs of each DataNode
   * @param overload see {@link Disk#withLoad}; null: the HDDs are as they are
   * @param zone time zone of DataNodes' logs
   * @param bytesPerChecksum see {@link TraceLoader.Options}
   * @param threads how many simulations run at a time in a task
   */
  public record Order(Wish wish, Disk disk, Double overload, String zone, int bytesPerChecksum,
      int threads) {
  }

  /**
   * What local caches of one setting did.
   *
   * @param name of the DataNode; of all together: {@link #ALL}
   * @param pageSize bytes of data in a page
   * @param capacity bytes that pages may take on the SSDs of a DataNode
   * @param hours how long the trace is; of several: the longest
   * @param reads reads
   * @param bytes bytes read
   * @param bytesFromSsd how many of these came from SSDs
   * @param writes how often the SSDs of a DataNode are written as a whole in a day after their first
   *     filling; of several: the mean of those that tell; null: see {@link Estimate#writes}
   * @param hddSeconds seconds that the heads of the HDDs were busy
   * @param hddSecondsWithout the same without a local cache
   */
  public record Line(String name, int pageSize, long capacity, double hours, long reads,
      long bytes, double bytesFromSsd, Double writes, double hddSeconds,
      double hddSecondsWithout) {

    /** Name of what all DataNodes did together. */
    public static final String ALL = "all";

    static Line of(String name, Result result, Wish wish) {
      Estimate estimate = Estimate.of(result, wish, wish.drivesPerDay());
      return new Line(name, result.pageSize(), result.capacity(),
          result.spanHours() * result.spanOffload().length, result.reads(), result.bytes(),
          result.offload() * result.bytes(), estimate.isSteady()
              ? (Double) ((estimate.writes().low() + estimate.writes().high()) / 2) : null,
          result.load().seconds(), result.loadWithout().seconds());
    }

    private static Line sum(List<Line> each) {
      return new Line(ALL, each.get(0).pageSize, each.get(0).capacity,
          each.stream().mapToDouble(Line::hours).max().orElse(0),
          each.stream().mapToLong(Line::reads).sum(), each.stream().mapToLong(Line::bytes).sum(),
          each.stream().mapToDouble(Line::bytesFromSsd).sum(),
          mean(each.stream().map(Line::writes).filter(Objects::nonNull).toList()),
          each.stream().mapToDouble(Line::hddSeconds).sum(),
          each.stream().mapToDouble(Line::hddSecondsWithout).sum());
    }

    private static Double mean(List<Double> figures) {
      return figures.isEmpty() ? null
          : (Double) figures.stream().mapToDouble(figure -> figure).average().orElseThrow();
    }

    /** @return share of the bytes that came from SSDs. */
    public double offload() {
      return bytes == 0 ? 0 : bytesFromSsd / bytes;
    }

    /** @return share of the HDDs' time that was saved. */
    public double hddTimeSaved() {
      return hddSecondsWithout == 0 ? 0 : 1 - hddSeconds / hddSecondsWithout;
    }
  }

  /**
   * What was found.
   *
   * @param settings what each setting did on all DataNodes together
   * @param dataNodes what each DataNode did with the chosen setting, by name
   * @param failures for each trace that cannot be used, its name and why
   */
  public record Found(List<Line> settings, List<Line> dataNodes, List<String> failures) {

    /** @return bytes of a page in the chosen setting. */
    public int pageSize() {
      return dataNodes.get(0).pageSize;
    }
  }

  /**
   * What a task hands over.
   *
   * @param lines what each setting did on its DataNode
   * @param failure why the trace cannot be used; null if it can
   */
  record Played(List<Line> lines, String failure) {
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
    Job job = LineJob.of(settings, "local cache recommendation", TraceMapper.class,
        new Path(directory, "traces"), each, records);
    job.setOutputValueClass(Text.class);
    LineJob.run(job);
    Map<String, String> byName = new TreeMap<>();
    LineJob.forEach(conf, records, new Text(), (name, json) -> byName.put(name, json.toString()));
    directory.getFileSystem(conf).delete(directory, true);
    return join(byName, order.wish);
  }

  private static Found join(Map<String, String> byName, Wish wish) throws IOException {
    List<String> failures = new ArrayList<>();
    List<List<Line>> played = new ArrayList<>();
    for (Map.Entry<String, String> each : byName.entrySet()) {
      Played one = JSON.readValue(each.getValue(), Played.class);
      if (one.failure == null) {
        played.add(one.lines);
      } else {
        failures.add(each.getKey() + ": " + one.failure);
      }
    }
    if (played.isEmpty()) {
      throw new TraceException("no trace can be used; the first: " + failures.get(0));
    }
    List<Line> settings = IntStream.range(0, played.get(0).size()).mapToObj(i ->
        Line.sum(played.stream().map(lines -> lines.get(i)).toList())).toList();
    int chosen = settings.indexOf(Recommender.choosePageSize(
        settings.stream().filter(line -> line.capacity == wish.capacity()).toList(),
        Line::pageSize, Line::hddTimeSaved));
    return new Found(settings, played.stream().map(lines -> lines.get(chosen)).toList(), failures);
  }

  /** Plays a trace. */
  public static final class TraceMapper extends Mapper<LongWritable, Text, Text, Text> {

    @Override
    protected void map(LongWritable offset, Text line, Context context)
        throws IOException, InterruptedException {
      Path trace = new Path(line.toString());
      Order order = JSON.readValue(context.getConfiguration().get(ORDER), Order.class);
      Played played;
      try (LineJob.Life life = LineJob.showLife(context)) {
        played = new Played(play(trace, order, context.getConfiguration()), null);
      } catch (TraceException | IllegalArgumentException e) {
        played = new Played(List.of(), e.getMessage());
      }
      context.write(new Text(trace.getName()), new Text(JSON.writeValueAsString(played)));
    }

    private static List<Line> play(Path source, Order order, Configuration conf)
        throws IOException {
      Trace trace = load(source, order, conf);
      Disk disk = order.overload == null ? order.disk : order.disk.withLoad(trace, order.overload);
      return new Sweep(trace, disk, order.threads, () -> { })
          .run(Recommender.settings(order.wish)).stream()
          .map(result -> Line.of(source.getName(), result, order.wish)).toList();
    }

    /** Traces are read from local files: they are small, and read by position. */
    private static Trace load(Path source, Order order, Configuration conf) throws IOException {
      FileSystem fs = source.getFileSystem(conf);
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
            ZoneId.of(order.zone), order.bytesPerChecksum)).trace();
      } finally {
        FileUtils.deleteDirectory(local.toFile());
      }
    }
  }
}
