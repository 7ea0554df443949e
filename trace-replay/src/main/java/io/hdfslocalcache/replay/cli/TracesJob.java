/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.harness.Report;
import io.hdfslocalcache.harness.SiteFile;
import io.hdfslocalcache.harness.Table;
import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.replay.cluster.ClusterOptions;
import io.hdfslocalcache.replay.cluster.LineJob;
import io.hdfslocalcache.replay.cluster.Results;
import io.hdfslocalcache.replay.recommend.Estimate;
import io.hdfslocalcache.replay.recommend.Recommender;
import io.hdfslocalcache.replay.recommend.Recommender.Wish;
import io.hdfslocalcache.replay.simulate.Result;
import io.hdfslocalcache.replay.simulate.Sweep;
import io.hdfslocalcache.replay.text.Text;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.TraceException;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Mapper;
import picocli.CommandLine;

/**
 * Recommends settings for all DataNodes of a cluster. Each DataNode's trace is simulated in a map
 * task: on YARN, or in this process if no YARN is configured. A task gets the arguments of the
 * command.
 */
public final class TracesJob {

  private static final String ARGUMENTS = "trace-replay.arguments";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final PathFilter VISIBLE =
      path -> !path.getName().startsWith("_") && !path.getName().startsWith(".");
  private static final String LEGEND = """
  SSD: what pages may take on each DataNode; offload: share of bytes from SSDs; written/day: how
  often the SSDs of a DataNode are written as a whole in a day after their first filling; a hyphen:
  the trace is too short to say, or the SSD is not full; HDD saved: share of head time saved
  """;

  private TracesJob() {
  }

  /**
   * The result of local caches with one setting.
   *
   * @param name of the DataNode, or {@code all} together
   * @param pageSize bytes of data in a page
   * @param capacity bytes that pages may take on the SSDs of a DataNode
   * @param hours length of the trace; of several: the longest
   * @param reads reads
   * @param bytes bytes read
   * @param bytesFromSsd bytes of these from SSDs
   * @param writes drive writes per day after the first filling; of several: the mean of known ones;
   *     null: see {@link Estimate#writes}
   * @param hddSeconds seconds that the heads of the HDDs were busy
   * @param hddSecondsWithout the same without a local cache
   */
  record Line(String name, int pageSize, long capacity, double hours, long reads,
      long bytes, double bytesFromSsd, Double writes, double hddSeconds,
      double hddSecondsWithout) {

    static Line of(String name, Result result, Wish wish) {
      Estimate.Range writes = Estimate.of(result, wish, wish.drivesPerDay()).writes();
      return new Line(name, result.pageSize(), result.capacity(),
          result.hours(), result.reads(), result.bytes(),
          result.offload() * result.bytes(),
          writes == null ? null : Double.valueOf((writes.low() + writes.high()) / 2),
          result.load().seconds(), result.loadWithout().seconds());
    }

    static Line sum(List<Line> each) {
      List<Double> writes = each.stream().map(Line::writes).filter(Objects::nonNull).toList();
      return new Line("all", each.get(0).pageSize, each.get(0).capacity,
          each.stream().mapToDouble(Line::hours).max().orElse(0),
          each.stream().mapToLong(Line::reads).sum(), each.stream().mapToLong(Line::bytes).sum(),
          each.stream().mapToDouble(Line::bytesFromSsd).sum(), writes.isEmpty() ? null
              : Double.valueOf(writes.stream().mapToDouble(figure -> figure).sum() / writes.size()),
          each.stream().mapToDouble(Line::hddSeconds).sum(),
          each.stream().mapToDouble(Line::hddSecondsWithout).sum());
    }

    private double hddTimeSaved() {
      return hddSecondsWithout == 0 ? 0 : 1 - hddSeconds / hddSecondsWithout;
    }

    private List<String> cells() {
      return List.of(name, Sizes.text(pageSize), Sizes.text(capacity), Text.count(reads),
          Sizes.text(bytes), Text.percent(bytes == 0 ? 0 : bytesFromSsd / bytes),
          writes == null ? "-" : Text.format("%.2f", writes), Text.percent(hddTimeSaved()));
    }
  }

  /**
   * The results.
   *
   * @param settings result of each setting on all DataNodes together
   * @param dataNodes result of each DataNode with the chosen setting, by name
   * @param failures for each unusable trace, its name and the reason
   */
  record Found(List<Line> settings, List<Line> dataNodes, List<String> failures) {
  }

  /**
   * Simulates all traces, writes the results and prints them.
   *
   * @param arguments arguments of the command
   * @throws TraceException if there are no traces, or none can be used
   * @throws IOException if the job fails
   */
  static void run(RecommendCommand command, List<String> arguments) throws IOException {
    Configuration conf = command.cluster.conf();
    conf.set(ARGUMENTS, JSON.writeValueAsString(arguments));
    try (Results results = new Results(new Path(command.out), conf)) {
      Found found = join(play(conf, new Path(command.traces), results.path("job")), command.wish());
      String fragment = SiteFile.properties(command.wish()
          .keys(found.dataNodes.get(0).pageSize, command.directories).entrySet());
      results.write("hdfs-site.xml", fragment);
      results.complete(report(found, fragment), found);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** @return for each trace, by its name, the lines or the reason of a failure, as JSON. */
  private static Map<String, String> play(Configuration conf, Path traces, Path directory)
      throws IOException, InterruptedException {
    FileStatus[] all = traces.getFileSystem(conf).listStatus(traces, VISIBLE);
    if (all.length == 0) {
      throw new TraceException(traces + ": no traces");
    }
    FileSystem fs = directory.getFileSystem(conf);
    Path input = new Path(directory, "traces");
    for (int i = 0; i < all.length; i++) {
      try (OutputStream out = fs.create(new Path(input, "trace-" + i))) {
        out.write(all[i].getPath().toString().getBytes(StandardCharsets.UTF_8));
      }
    }
    Path records = new Path(directory, "records");
    LineJob.run(LineJob.of(conf, "local cache recommendation", TraceMapper.class, input, records,
        org.apache.hadoop.io.Text.class));
    Map<String, String> byName = new TreeMap<>();
    LineJob.forEach(conf, records, new org.apache.hadoop.io.Text(),
        (name, json) -> byName.put(name, json.toString()));
    fs.delete(directory, true);
    return byName;
  }

  private static Found join(Map<String, String> byName, Wish wish) throws IOException {
    List<String> failures = new ArrayList<>();
    List<List<Line>> played = new ArrayList<>();
    for (Map.Entry<String, String> each : byName.entrySet()) {
      JsonNode one = JSON.readTree(each.getValue());
      if (one.isTextual()) {
        failures.add(each.getKey() + ": " + one.asText());
      } else {
        played.add(List.of(JSON.treeToValue(one, Line[].class)));
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

  private static Report report(Found found, String fragment) {
    Report report = new Report("Local caches for "
        + Text.count(found.dataNodes.size(), "DataNode"));
    Table table = new Table("DataNode", ">page", ">SSD", ">reads", ">read", ">offload",
        ">written/day", ">HDD saved");
    Stream.concat(found.settings.stream(), found.dataNodes.stream())
        .forEach(line -> table.row(line.cells()));
    report.heading("For hdfs-site.xml").code(fragment).table(table).text(LEGEND);
    found.failures.forEach(failure -> report.text("not simulated: " + failure));
    return report;
  }

  /** Simulates a trace. */
  public static final class TraceMapper
      extends Mapper<LongWritable, org.apache.hadoop.io.Text, org.apache.hadoop.io.Text,
          org.apache.hadoop.io.Text> {

    @Override
    protected void map(LongWritable offset, org.apache.hadoop.io.Text line, Context context)
        throws IOException, InterruptedException {
      Path source = new Path(line.toString());
      Configuration conf = context.getConfiguration();
      Object played;
      try (Closeable life = LineJob.showLife(context)) {
        played = play(source, conf, CommandLine.populateCommand(new RecommendCommand(),
            JSON.readValue(conf.get(ARGUMENTS), String[].class)));
      } catch (TraceException | IllegalArgumentException e) {
        played = String.valueOf(e.getMessage());
      }
      context.write(new org.apache.hadoop.io.Text(source.getName()),
          new org.apache.hadoop.io.Text(JSON.writeValueAsString(played)));
    }

    private static List<Line> play(Path source, Configuration conf, RecommendCommand command)
        throws IOException {
      Trace trace = load(source, conf, command);
      return new Sweep(trace, command.options.disk(trace),
          command.options.threadsOfATask(!ClusterOptions.isLocal(conf)), () -> { })
          .run(Recommender.settings(command.wish())).stream()
          .map(result -> Line.of(source.getName(), result, command.wish())).toList();
    }

    /** Traces are read from local files: they are small, and read by position. */
    private static Trace load(Path source, Configuration conf, RecommendCommand command)
        throws IOException {
      FileSystem fs = source.getFileSystem(conf);
      java.nio.file.Path local = Files.createTempDirectory("trace");
      try {
        List<java.nio.file.Path> files = new ArrayList<>();
        // For a file, this is the file itself.
        for (FileStatus file : fs.listStatus(source, VISIBLE)) {
          java.nio.file.Path copy = local.resolve(file.getPath().getName());
          fs.copyToLocalFile(false, file.getPath(), new Path(copy.toUri()), true);
          files.add(copy);
        }
        return command.inputs.loadWithoutPauses(files);
      } finally {
        FileUtils.deleteDirectory(local.toFile());
      }
    }
  }
}
