/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.client.Load.Kind;
import io.hdfslocalcache.bench.e2e.cluster.Client;
import io.hdfslocalcache.bench.e2e.cluster.Cluster;
import io.hdfslocalcache.bench.e2e.cluster.DataNodeProcess;
import io.hdfslocalcache.bench.e2e.cluster.Variant;
import io.hdfslocalcache.bench.e2e.report.Figure;
import io.hdfslocalcache.bench.e2e.report.Row;

/** One DataNode's turn in one round: from its start to its end. */
final class Turn implements AutoCloseable {

  private static final double ALL_HITS = 0.999;

  private final Setting setting;
  private final Cluster cluster;
  private final Client client;
  private final Variant variant;
  private final DataNodeProcess node;
  private final Meter meter;
  private final String name;
  /** What was measured, by the name of the load. */
  private final Map<String, Row> measured = new HashMap<>();

  Turn(Setting setting, Cluster cluster, Variant variant, int round)
      throws IOException, InterruptedException {
    this.setting = setting;
    this.cluster = cluster;
    this.client = cluster.client(Setting.FILE);
    this.variant = variant;
    this.name = "round " + round + "/" + setting.options().rounds() + "  " + variant.name() + ": ";
    step("start");
    this.node = cluster.startDataNode(variant);
    this.meter = new Meter(client, node, variant, round);
  }

  private void step(String what) {
    setting.progress().begin(name + what);
  }

  /** Writes files. */
  void write(int firstFile, int files) throws IOException {
    step("write " + files + " files of " + (Setting.FILE >> 20) + " MB");
    client.run(Load.of(Kind.WRITE, firstFile, files));
  }

  /** Reads all files and compares every byte; twice if that fills pages, so that they are read. */
  void verify(int firstFile, int files) throws IOException, InterruptedException {
    step("verify " + files + " files");
    client.run(Load.of(Kind.VERIFY, firstFile, files));
    if (variant.isCaching()) {
      node.awaitFills();
      client.run(Load.of(Kind.VERIFY, firstFile, files));
    }
  }

  /** Reads all files, so that they are in the OS page cache; twice if that fills pages. */
  void readAll(int firstFile, int files) throws IOException, InterruptedException {
    step("read " + files + " files");
    client.run(Load.sequential(2, 0, firstFile, files));
    if (variant.isCaching()) {
      node.awaitFills();
      client.run(Load.sequential(2, 0, firstFile, files));
    }
  }

  /** Waits until all pages of some files are cached. */
  void awaitFilled(int files) throws InterruptedException {
    step("fill " + files + " files");
    node.awaitPages(files * (Setting.FILE / Setting.PAGE));
  }

  /** Lets the JIT compiler of the DataNode see all kinds of reads. */
  void warmUp(int firstFile, int files) throws IOException {
    double seconds = setting.options().seconds();
    step("warm up");
    client.run(Load.sequential(2, seconds / 2, firstFile, files));
    client.run(Load.pread(8, 4096, seconds, firstFile, files));
    client.run(Load.pread(8, 1 << 16, seconds / 2, firstFile, files));
  }

  /**
   * Measures the loads that paths of the stage are named after. What this turn has measured for
   * another stage is taken from there: the stock DataNode does the same for all.
   */
  void measure(String stage, List<String> loads, int files)
      throws IOException, InterruptedException {
    for (String load : loads) {
      Row known = measured.get(load);
      if (known != null) {
        setting.results().add(
            new Row(stage + "/" + load, known.variant(), known.round(), known.figures()));
      } else {
        measured.put(load, measure(stage + "/" + load,
            Loads.named(load, setting.options().seconds(), files)));
      }
    }
  }

  /** From now on, the DataNode is of another kind. */
  void continueAs(String variantName) {
    meter.continueAs(variantName);
  }

  /** How do many readers fare against 8? */
  private Row compareReaders(Row row) {
    Row of8 = measured.get(row.path().replaceFirst(".*/(.*)-64$", "$1-8"));
    return of8 == null || !row.path().endsWith("-64") ? row
        : row.set(Figure.AGAINST_8_READERS,
            row.get(Figure.OPS_PER_SECOND) / of8.get(Figure.OPS_PER_SECOND));
  }

  /** Measures a load. */
  Row measure(String path, Load load) throws IOException, InterruptedException {
    step(path);
    Row row = compareReaders(meter.measure(path, load));
    if (path.startsWith("hit/") && variant.isCaching() && row.get(Figure.HIT_SHARE) < ALL_HITS) {
      setting.results().note(String.format(Locale.ROOT, "%s, %s, round %d: only %.1f %% of the "
          + "bytes came from pages", path, variant.name(), row.round(),
          100 * row.get(Figure.HIT_SHARE)));
    }
    setting.results().add(row);
    setting.progress().end();
    return row;
  }

  /** Measures loads at the same time; the caller keeps the results. */
  List<Row> measureTogether(List<String> paths, Load... loads)
      throws IOException, InterruptedException {
    step(paths.get(0));
    List<Row> rows = meter.measure(paths, loads);
    setting.progress().end();
    return rows;
  }

  DataNodeProcess node() {
    return node;
  }

  Client client() {
    return client;
  }

  Cluster cluster() {
    return cluster;
  }

  @Override
  public void close() {
    node.close();
  }
}
