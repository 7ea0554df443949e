/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.hdfslocalcache.bench.e2e.Load.Kind;
import io.hdfslocalcache.bench.e2e.Peers.Peer;
import io.hdfslocalcache.bench.e2e.Peers.Phase;
import io.hdfslocalcache.bench.e2e.Slices.Slice;
import io.hdfslocalcache.harness.ProcessCluster.Places;
import io.hdfslocalcache.harness.Run;
import io.hdfslocalcache.harness.disk.LoopDisk;

/** One of the compared systems on disks of its own, from empty caches on. */
final class Sitting {

  /** Length of the reported spans in seconds. */
  static final int STEP = SaturatedStage.STEP;
  /** The first file that only the scan reads. */
  static final int COLD_FIRST = SaturatedStage.FILES + 1;
  /** Number of these files. */
  static final int COLD = 4;

  /** Size of the SSD without the space that its file system needs. */
  private static final long CAPACITY = 1100L << 20;
  /** Files that fit on it, with their checksums. */
  private static final int ON_SSD = 8;
  private static final int SCANNERS = 4;
  private static final int WRITTEN_FIRST = 100;
  private static final int WRITE_SIZE = 64 << 10;
  /** 64 KiB each: 2 MB/s. A stock DataNode reads some 20 MB/s. */
  private static final double WRITES_PER_SECOND = 32;
  private static final double WARM_UP_SECONDS = 2;
  /** Length of the load after a scan or a restart; the last 10 s are compared with those before. */
  private static final int AFTER_SECONDS = 20;

  private final Peers bench;
  private final Peer peer;
  private final int run;
  private final PeerDisks disks;
  private final Load load;
  private Cluster cluster;
  /** Reads a second in the last 10 s. */
  private double rate;
  /** Bytes written to the SSD before the readers began. */
  private long placed;

  Sitting(Peers bench, Peer peer, int run, PeerDisks disks) {
    this.bench = bench;
    this.peer = peer;
    this.run = run;
    this.disks = disks;
    this.load = SaturatedStage.load(bench.seconds(), bench.seed() + run);
  }

  /** Runs the phases. @param first the first phase; scan and restart follow saturated */
  void run(Phase first) throws IOException, InterruptedException {
    Places all = bench.places(disks, peer, bench.groups());
    Places own = all.of(first + "-" + run + "-" + peer);
    try (Cluster started = new Cluster(bench.hadoop(), own, CAPACITY, peer.variant())) {
      cluster = started;
      cluster.start(all.of(Peers.WRITTEN));
      if (peer == Peer.STOCK) {
        bench.measureTransport(disks);
      }
      PeerDisks.Counters empty = disks.counters();
      place();
      placed = disks.counters().since(empty).ssd().bytesWritten();
      SaturatedStage.warmUp(cluster, load, WARM_UP_SECONDS);
      disks.attachCache();
      slow();
      measureAll(first);
      bench.results().note(peer + ", after " + first + ": " + disks.state());
    } finally {
      disks.limit(0, 0);
      own.discard();
    }
  }

  private void measureAll(Phase first) throws IOException, InterruptedException {
    if (first == Phase.WRITES) {
      measure(first.toString(), load, new Load(Kind.WRITE, 1, WRITE_SIZE, load.seconds(),
          WRITTEN_FIRST, 1, 0, WRITES_PER_SECOND, 1));
      return;
    }
    measure(first.toString(), load);
    double before = rate;
    if (bench.wants(Phase.SCAN)) {
      int length = Math.max(STEP, bench.seconds() / 5 / STEP * STEP);
      measure(Phase.SCAN.toString(), load.part(1, length),
          new Load(Kind.FILES, SCANNERS, 1 << 20, length, COLD_FIRST, COLD, 0, 0, 1));
      measureAfter("after-scan", load.part(2, AFTER_SECONDS), before);
    }
    if (bench.wants(Phase.RESTART)) {
      Load then = load.part(3, AFTER_SECONDS);
      disks.limit(0, 0);
      cluster.restartDataNode();
      SaturatedStage.open(cluster, then);
      slow();
      measureAfter(Phase.RESTART.toString(), then, before);
    }
  }

  private void measureAfter(String path, Load then, double before)
      throws IOException, InterruptedException {
    measure(path, then);
    bench.results().add(Peers.PATH + path, peer.title(), run,
        Map.of("reads/s / before", rate / before));
  }

  private void slow() throws IOException {
    LoopDisk.dropCaches();
    disks.limit(Disks.HDD_READS_PER_SECOND, Disks.HDD_BYTES_PER_SECOND);
  }

  /** Places files as an operator would who knows the future reads. */
  private void place() throws IOException, InterruptedException {
    List<Integer> hottest = load.hottest().subList(0, ON_SSD);
    switch (peer) {
      case ALL_SSD -> cluster.store(hottest, "ALL_SSD");
      case ONE_SSD -> {
        List<Integer> any =
            new ArrayList<>(IntStream.range(0, SaturatedStage.FILES).boxed().toList());
        Collections.shuffle(any, new Random(load.seed()));
        cluster.store(any.subList(0, ON_SSD), "ONE_SSD");
      }
      case PMEM_CACHE -> cluster.cacheByOrder(hottest);
      default -> {
        // It starts empty.
      }
    }
  }

  private void measure(String path, Load... all) throws IOException, InterruptedException {
    List<Sample> samples = new ArrayList<>();
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    Slice slice;
    try {
      ScheduledFuture<?> sampling = timer.scheduleAtFixedRate(() -> {
        try {
          samples.add(Sample.now(disks));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }, 0, STEP, TimeUnit.SECONDS);
      slice = Slice.of(cluster, all);
      if (sampling.isDone()) {
        throw new IOException("the disks cannot be asked what they have done");
      }
    } finally {
      timer.shutdown();
      timer.awaitTermination(STEP, TimeUnit.SECONDS);
    }
    if (peer.cache().equals(PeerDisks.NO_CACHE)) {
      // Later writes there are due to what was measured, too.
      Run.output("sync", "-f", disks.ssd().toString());
    }
    Sample end = Sample.now(disks);
    int length = (int) all[0].seconds();
    while (samples.size() > length / STEP) {
      samples.remove(samples.size() - 1);
    }
    samples.add(end);
    add(path, slice, samples);
  }

  private void add(String path, Slice slice, List<Sample> samples) throws IOException {
    PeerDisks.Counters did = samples.get(samples.size() - 1).disks.since(samples.get(0).disks);
    Load.Result result = slice.results().get(0);
    int length = STEP * (samples.size() - 1);
    Map<String, Double> figures = new Slices().add(slice, 0).figures();
    figures.put("reads", (double) result.reads(0, length));
    figures.put("HDD reads", (double) did.hdd().reads());
    figures.put("HDD bytes read", (double) did.hdd().bytesRead());
    figures.put("HDD bytes written", (double) did.hdd().bytesWritten());
    figures.put("SSD bytes read", (double) did.ssd().bytesRead());
    figures.put("SSD bytes written", (double) did.ssd().bytesWritten());
    figures.put("SSD bytes written before", (double) placed);
    if (did.ssd().bytesRead() > 0) {
      figures.put("written/served",
          (double) (placed + did.ssd().bytesWritten()) / did.ssd().bytesRead());
    }
    if (path.equals(Phase.WRITES.toString())) {
      Load.Result writes = slice.results().get(1);
      figures.put("writes", (double) writes.reads(0, length));
      figures.put("write p99 us", writes.nanos().getValueAtPercentile(99) / 1e3);
    }
    bench.results().add(Peers.PATH + path, peer.title(), run, figures);
    long[] reads = new long[length / STEP];
    for (int i = 0; i < reads.length; i++) {
      Sample from = samples.get(i);
      Sample to = samples.get(i + 1);
      reads[i] = result.reads(STEP * i, STEP * (i + 1));
      double idle = Math.min(to.idleShare(from), to.disks.since(from.disks).idleShare());
      String span = STEP * i + "-" + STEP * (i + 1) + "s";
      Peers.judge(bench.results(), Peers.PATH + path, peer, idle, span + " of run " + run);
      bench.results().add(Peers.PATH + path + "/" + span, peer.title(), run, Map.of(
          "reads", (double) reads[i], "idle share of a CPU", idle,
          "HDD reads", (double) to.disks.since(from.disks).hdd().reads()));
    }
    rate = (double) reads[reads.length - 1] / STEP;
    if (path.equals(Phase.SATURATED.toString())) {
      bench.saturated(peer, run, reads, did.hdd().reads());
      bench.results().add(Peers.PATH + path, peer.title(), run, LongStream.range(0, length)
          .map(second -> result.bySecond().get((int) second)).toArray());
      if (peer != Peer.STOCK && placed + did.ssd().bytesWritten() == 0) {
        throw new IOException(peer + " wrote nothing to the SSD");
      }
    }
  }

  /**
   * Counters at a moment.
   *
   * @param idle ticks of this machine's CPUs
   * @param ticks all of them
   */
  private record Sample(PeerDisks.Counters disks, double idle, double ticks) {

    static Sample now(PeerDisks disks) throws IOException {
      PeerDisks.Counters counters = disks.counters();
      double[] ticks = Arrays.stream(Files.readAllLines(Path.of("/proc/stat")).get(0)
          .split("\\s+")).skip(1).limit(8).mapToDouble(Double::parseDouble).toArray();
      // Idle, and waiting for a disk.
      return new Sample(counters, ticks[3] + ticks[4], Arrays.stream(ticks).sum());
    }

    double idleShare(Sample earlier) {
      return (idle - earlier.idle) / (ticks - earlier.ticks);
    }
  }
}
