/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.hdfslocalcache.harness.SiteFile;
import io.hdfslocalcache.replay.cluster.ClusterOptions;
import io.hdfslocalcache.replay.recommend.RecommendationReport;
import io.hdfslocalcache.replay.recommend.Recommender;
import io.hdfslocalcache.replay.recommend.Recommender.Recommendation;
import io.hdfslocalcache.replay.recommend.Recommender.Wish;
import io.hdfslocalcache.replay.text.Text;
import io.hdfslocalcache.replay.text.Text.Checks;
import io.hdfslocalcache.replay.text.Text.Checks.Bytes;
import io.hdfslocalcache.replay.trace.Inputs;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.WholeFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Recommends keys for a trace, with a report. */
@Command(name = "recommend", description = "Recommends keys for an SSD and its endurance, by "
    + "simulating a trace with many settings; writes a report in HTML.")
final class RecommendCommand implements Callable<Integer> {

  private static final Pattern DRIVES = Pattern.compile("([0-9]*\\.?[0-9]+)(?i:dwpd)?");

  @Spec
  private CommandSpec spec;

  @Mixin
  Inputs inputs;

  @Mixin
  SimulationOptions options;

  @Mixin
  ClusterOptions cluster;

  @Option(names = "--trace", paramLabel = "TRACE", arity = "1..*", description = "The trace.")
  private List<Path> files = List.of();

  @Option(names = "--traces", paramLabel = "DIR", description = "Instead of a trace: a directory, "
      + "in HDFS or elsewhere, with the trace of each DataNode of a cluster, a file or a directory "
      + "of files. Each is simulated in a task of a MapReduce job; without YARN, in this process.")
  String traces;

  @Option(names = {"-o", "--out"}, paramLabel = "DIR", description = "With --traces: a "
      + "new directory for the results, in the default file system.")
  String out;

  @Option(names = "--ssd", paramLabel = "SIZE", required = true, converter = Bytes.class,
      description = "Total size of the SSDs, such as 4t; pages get 90 %% of it.")
  private long ssd;

  @Option(names = "--endurance", paramLabel = "N", required = true, converter = Drives.class,
      description = "Drive writes per day of the SSDs, such as 3dwpd.")
  private double drivesPerDay;

  @Option(names = "--price", paramLabel = "N", description = "Total price of the SSDs, in any "
      + "currency: shows the cost of taking a TB of reads off the HDDs.")
  private double price;

  @Option(names = "--directories", paramLabel = "DIRS", split = ",",
      defaultValue = "/ssd/0/hdfs-local-cache", description = "Directories for pages, one on each "
          + "SSD, for the fragment of hdfs-site.xml (default: ${DEFAULT-VALUE}).")
  List<String> directories;

  @Option(names = "--html", paramLabel = "FILE", description = "The report of a single trace "
      + "(default: recommend.html).")
  private Path html;

  /** Drive writes per day. */
  static final class Drives implements ITypeConverter<Double> {
    @Override
    public Double convert(String value) {
      Matcher matcher = DRIVES.matcher(value.strip());
      double drives = matcher.matches() ? Double.parseDouble(matcher.group(1)) : 0;
      if (!(drives > 0)) {
        throw new TypeConversionException("'" + value + "' is not an endurance such as 3dwpd");
      }
      return drives;
    }
  }

  /** @return the operator's SSDs. */
  Wish wish() {
    return new Wish(ssd, drivesPerDay, directories.size(), price);
  }

  @Override
  public Integer call() throws IOException {
    options.check();
    Checks.require(price >= 0 && price < Double.POSITIVE_INFINITY,
        "--price: must not be negative, but is " + price);
    Checks.require(files.isEmpty() != (traces == null), "either a trace or --traces");
    Checks.require((traces != null) == (out != null), "--out: needed with --traces, and only then");
    if (traces != null) {
      Checks.require(html == null && price == 0,
          "--traces: not with --price or --html; the report is in the directory --out");
      // The words behind this command's name.
      List<String> words = spec.commandLine().getParseResult().originalArgs();
      TracesJob.run(this, words.subList(1, words.size()));
      return 0;
    }
    Trace trace = inputs.loadWithoutPauses(files);
    Recommendation found = new Recommender(trace, wish(), options.disk(trace), options.threads(),
        inputs.simulating(Recommender.simulations())).recommend();
    String fragment =
        SiteFile.properties(found.wish().keys(found.chosen().pageSize(), directories).entrySet());
    html = html == null ? Path.of("recommend.html") : html;
    String page = RecommendationReport.of(found, Inputs.names(files), fragment).html();
    WholeFile.write(html, out -> out.write(page.getBytes(StandardCharsets.UTF_8)));
    System.out.print(Text.format("%s%n%n%s%n%s%nReport: %s%n",
        String.join(System.lineSeparator(), RecommendationReport.sentences(found.estimate())),
        fragment, RecommendationReport.table(found, found.sizes()).text(), html));
    return 0;
  }
}
