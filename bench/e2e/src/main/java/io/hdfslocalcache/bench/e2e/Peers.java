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
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.hdfslocalcache.bench.e2e.Load.Kind;
import io.hdfslocalcache.bench.e2e.Results.Spread;
import io.hdfslocalcache.bench.e2e.Slices.Slice;
import io.hdfslocalcache.harness.ProcessCluster.Places;
import io.hdfslocalcache.harness.Run;
import io.hdfslocalcache.harness.Table;
import io.hdfslocalcache.harness.disk.IoGroup;
import io.hdfslocalcache.harness.disk.LoopDisk;
import io.hdfslocalcache.harness.disk.Undo;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The load of {@link SaturatedStage} with the local cache, and with what an operator could have
 * instead of it. Each has the same disks, of a guest, behind the same way there, as much memory, and
 * the machine for itself.
 */
@Command(name = "bench/peers", sortOptions = false, description = {
    "Compares the local cache with lvmcache, bcache, HDFS storage policies and the pmem cache, on the "
        + "same emulated disks. Writes bench/results/DATE-NAME.json.",
    "A sitting is saturated, then scan, then restart; writes is one of its own. Each takes its "
        + "seconds and about 40 more. Needs root, 6 GB in DIR and Debian's packages.",
    ""})
public final class Peers implements Callable<Integer> {

  /** What is compared. */
  enum Peer {
    STOCK(Variant.STOCK, Guest.NONE),
    LVMCACHE_64K(Variant.stock("lvmcache 64k"), "lvmcache-64k"),
    LVMCACHE_1M(Variant.stock("lvmcache 1m"), "lvmcache-1m"),
    BCACHE(Variant.stock("bcache"), "bcache"),
    /** Caches sequential reads, and when the SSD is busy, too. */
    BCACHE_ALL(Variant.stock("bcache all"), "bcache-all"),
    /** The files that will be read most are on the SSD. */
    ALL_SSD(Variant.twoVolumes("ALL_SSD"), Guest.NONE),
    /** Of three replicas, one is on an SSD: a third of the files of this DataNode. */
    ONE_SSD(Variant.twoVolumes("ONE_SSD"), Guest.NONE),
    /** The files that will be read most are on the SSD, too. */
    PMEM_CACHE(Variant.PMEM_CACHE, Guest.NONE),
    LOCAL_CACHE(Variant.LOCAL_CACHE.with(LocalCacheKeys.RESERVED, "0"), Guest.NONE);

    private final Variant variant;
    private final String cache;

    Peer(Variant variant, String cache) {
      this.variant = variant;
      this.cache = cache;
    }

    String title() {
      return variant.name();
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** What happens. */
  enum Phase {
    /** 32 readers, more than the HDD can serve, and all caches are empty. */
    SATURATED,
    /** The same; another client writes a tenth of what a stock DataNode can read. */
    WRITES,
    /** After saturated: four other readers read files that were not read yet. */
    SCAN,
    /** Then: the DataNode is started again, and the OS page cache is empty. */
    RESTART;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final String PATH = "peers/";
  /** Directory of what the guest runs. */
  private static final Path TOOLS = Hadoop.HOME.resolve("target/guest");
  /** Below the SSD's size by what its file system needs. */
  private static final long CAPACITY = 1100L << 20;
  /** Files that fit on it, with their checksums. */
  private static final int ON_SSD = 8;
  private static final int COLD_FIRST = SaturatedStage.FILES + 1;
  private static final int COLD = 4;
  private static final int SCANNERS = 4;
  private static final int WRITTEN_FIRST = 100;
  private static final int WRITE_SIZE = 64 << 10;
  /** 64 KiB each: 2 MB/s. A stock DataNode reads some 20 MB/s. */
  private static final double WRITES_PER_SECOND = 32;
  /** The least that the way to the guest must carry, in reads of 64 KiB a second. */
  private static final double TRANSPORT = 600;
  /** With less idle time than this, a CPU is what limits. */
  private static final double IDLE = 0.05;
  /** Times stock's reads, from which on it is a gain. */
  private static final double GAIN = 1.1;
  /** With less of its reads than this, it is not the HDD that limits a stock DataNode. */
  private static final double HDD_SHARE = 0.9;
  private static final double WARM_UP_SECONDS = 2;
  private static final int STEP = SaturatedStage.STEP;

  @Spec
  private CommandSpec spec;

  @Option(names = "--variants", paramLabel = "V", split = ",",
      description = "Some of: ${COMPLETION-CANDIDATES} (default: all; stock is always among them).")
  private List<Peer> peers = List.of(Peer.values());

  @Option(names = "--loads", paramLabel = "L", split = ",",
      description = "Some of: ${COMPLETION-CANDIDATES} (default: all; with --quick: without "
          + "writes).")
  private List<Phase> loads;

  @Option(names = "--seconds", paramLabel = "S",
      description = "Seconds of saturated and of writes, a multiple of 10 (default: 200; with "
          + "--quick: 20). Scan takes a fifth, restart a tenth, each 10 s at least.")
  private Integer seconds;

  @Option(names = "--runs", paramLabel = "N", description = "Number of runs of all (default: 3; "
      + "with --quick: 1).")
  private Integer runs;

  @Option(names = "--quick", description = "A first look in 15 minutes.")
  private boolean quick;

  @Option(names = "--name", paramLabel = "NAME",
      description = "Last part of the name of the result (default: ${DEFAULT-VALUE}).")
  private String name = "peers";

  @Option(names = "--dir", paramLabel = "DIR", description = "Where the disks are, in memory, so "
      + "that no real disk is measured (default: ${DEFAULT-VALUE}).")
  private Path directory = Path.of("/dev/shm/hdfs-local-cache-peers");

  @Option(names = "--seed", paramLabel = "N",
      description = "Of what is read in the first run (default: another each time).")
  private long seed = new Random().nextInt(1_000_000);

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this and end.")
  private boolean help;

  private final String command;
  private Hadoop hadoop;
  private Results results;
  private Path base;
  private Path memory;
  private boolean isTransportKnown;
  private boolean isComplete = true;
  /** The least share of time in which the CPUs of the machine, or of the guest, were idle. */
  private double leastIdle = 1;
  private String busiest;
  /** The least share of what the HDD can read that it did for the stock DataNode. */
  private double hddShare = 1;
  /** Reads of saturated in each 10 s, by run. */
  private final Map<Integer, Map<Peer, long[]>> windows = new HashMap<>();

  private Peers(String command) {
    this.command = command;
  }

  /** Ends with 0; or 1 if something failed, or has not cached; or 2 if the command line is wrong. */
  public static void main(String[] args) {
    System.exit(commandLine(args).execute(args));
  }

  /** @return what reads a command line. */
  static CommandLine commandLine(String... args) {
    return Bench.commandLine(new Peers("bench/peers " + String.join(" ", args)))
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  private int seconds() {
    return seconds != null ? seconds : quick ? 20 : 200;
  }

  private int runs() {
    return runs != null ? runs : quick ? 1 : 3;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (seconds() < STEP || seconds() > 300 || seconds() % STEP != 0) {
      throw new ParameterException(spec.commandLine(),
          "--seconds: must be a multiple of 10 up to 300, not " + seconds);
    }
    if (runs() < 1 || runs() > 20) {
      throw new ParameterException(spec.commandLine(),
          "--runs: must be from 1 to 20, not " + runs);
    }
    if (loads == null) {
      loads = Arrays.stream(Phase.values()).filter(phase -> !quick || phase != Phase.WRITES)
          .toList();
    }
    hadoop = Hadoop.built();
    Path file = Bench.resultFile(name);
    Map<String, Object> environment = Bench.environment(command, hadoop);
    environment.put("runs", runs() + " of " + seconds() + " s");
    environment.put("seed", seed);
    environment.put("disks", "HDD " + Disks.HDD_READS_PER_SECOND + " reads/s and "
        + Disks.HDD_BYTES_PER_SECOND / 1_000_000 + " MB/s, as much again for writes; SSD "
        + (Guest.SSD_BYTES >> 20) + " MB; DataNode and OS page cache "
        + (SaturatedStage.MEMORY >> 20) + " MB");
    results = new Results(environment);
    results.note("The disks are those of a guest with one CPU. The HDD has no order of its own: each "
        + "operation takes as long, wherever it is. The SSD has no limit but the way there. What a "
        + "cache of the guest keeps in memory is in the guest's, and not in the DataNode's.");
    try {
      Files.createDirectories(directory);
      measure();
    } finally {
      environment.put("load average at the end", Bench.load());
      if (!results.isEmpty()) {
        conclude();
        results.write(file, Files.createDirectories(
            Hadoop.HOME.resolve("target/work")).resolve("peers.html"));
        System.out.println("\n" + table().text() + "\n" + windows().text() + "Result: " + file);
      }
    }
    return isComplete ? 0 : 1;
  }

  private void measure() throws IOException, InterruptedException {
    base = Hadoop.HOME.resolve("target/work/peers");
    try (Undo undo = new Undo(Path.of(System.getProperty("bench.undo", base + ".undo")))) {
      undo.add("rm -f '" + directory.resolve("hdd.img") + "'");
      memory = IoGroup.memoryGroup(SaturatedStage.MEMORY, undo);
      System.out.println("write " + (COLD_FIRST + COLD) + " files");
      try (Guest disks = new Guest(TOOLS, directory, Guest.NEW_HDD)) {
        new Places(base, disks.hdd(), base.resolve("no-ssd"), List.of()).prepare();
        Cluster.write(hadoop, written(disks), COLD_FIRST + COLD);
      }
      for (int run = 1; run <= runs(); run++) {
        // Being first is no advantage for one of them.
        List<Peer> order = new ArrayList<>(present());
        Collections.rotate(order, run - 1);
        for (Peer peer : order) {
          if (loads.stream().anyMatch(phase -> phase != Phase.WRITES)) {
            sitting(peer, run, Phase.SATURATED);
          }
          if (loads.contains(Phase.WRITES)) {
            sitting(peer, run, Phase.WRITES);
          }
        }
      }
    }
  }

  private Places written(Guest disks) {
    return new Places(
        base, disks.hdd().resolve("data"), base.resolve("no-ssd"), List.of()).of("written");
  }

  /** All that is done with one guest, from empty caches on. */
  private void sitting(Peer peer, int run, Phase first) throws InterruptedException {
    System.out.println("run " + run + " of " + runs() + ": " + first + " of " + peer);
    try (Guest guest = new Guest(TOOLS, directory, peer.cache)) {
      Places places = new Places(base, guest.hdd().resolve("data"),
          peer.cache.equals(Guest.NONE) ? guest.ssd().resolve("pages") : base.resolve("no-ssd"),
          List.of(memory)).of(first + "-" + run + "-" + peer);
      try (Cluster cluster = new Cluster(hadoop, places, CAPACITY, peer.variant)) {
        cluster.start(written(guest));
        if (run == 1 && peer == Peer.STOCK && !isTransportKnown) {
          measureTransport(guest);
        }
        new Sitting(peer, run, guest, cluster).run(first);
      } finally {
        guest.limit(0, 0);
        places.discard();
      }
    } catch (IOException e) {
      // The others are measured all the same.
      isComplete = false;
      results.note("Failed, so that figures of " + peer + " in run " + run + " are missing: "
          + e.getMessage());
    }
  }

  private void measureTransport(Guest guest) throws IOException {
    isTransportKnown = true;
    LoopDisk.dropCaches();
    Guest.Counters before = guest.counters();
    double[] transport = guest.transport();
    double split = guest.counters().since(before).hdd().reads() / (transport[0] * 10);
    results.note(String.format(Locale.ROOT, "The way to the guest carries %.0f random reads of "
        + "64 KiB a second, %.1f ms each with 32 readers; each is %.2f reads of the HDD.",
        transport[0], transport[1] / 1e3, split));
    if (transport[0] < TRANSPORT || split > 1.2) {
      results.refuseRatios("the way to the guest must carry " + (int) TRANSPORT
          + " reads a second, each of them one of the HDD");
    }
  }

  private static int tens(int number) {
    return Math.max(STEP, number / STEP * STEP);
  }

  /** One of those that are compared, at work. */
  private final class Sitting {

    private final Peer peer;
    private final int run;
    private final Guest guest;
    private final Cluster cluster;
    private final Load load;
    /** Reads a second in the last 10 s. */
    private double rate;
    private long placed;

    Sitting(Peer peer, int run, Guest guest, Cluster cluster) {
      this.peer = peer;
      this.run = run;
      this.guest = guest;
      this.cluster = cluster;
      this.load = SaturatedStage.load(seconds(), seed + run);
    }

    void run(Phase first) throws IOException, InterruptedException {
      Guest.Counters empty = guest.counters();
      place();
      placed = guest.counters().since(empty).ssd().bytesWritten();
      SaturatedStage.warmUp(cluster, load, WARM_UP_SECONDS);
      guest.attachCache();
      slow();
      if (first == Phase.WRITES) {
        measure(first.toString(), load, new Load(Kind.WRITE, 1, WRITE_SIZE, load.seconds(),
            WRITTEN_FIRST, 1, 0, WRITES_PER_SECOND, 1));
      } else {
        measure(first.toString(), load);
        double before = rate;
        if (loads.contains(Phase.SCAN)) {
          int length = tens(seconds() / 5);
          measure("scan", load.part(1, length),
              new Load(Kind.FILES, SCANNERS, 1 << 20, length, COLD_FIRST, COLD, 0, 0, 1));
          measure("after-scan", load.part(2, tens(seconds() / 10)));
          compare("after-scan", before);
        }
        if (loads.contains(Phase.RESTART)) {
          guest.limit(0, 0);
          cluster.restartDataNode();
          Load then = load.part(3, tens(seconds() / 10));
          SaturatedStage.open(cluster, then);
          slow();
          measure("restart", then);
          compare("restart", before);
        }
      }
      if (run == 1) {
        results.note(peer + ", after " + first + ": " + guest.state());
      }
    }

    private void slow() throws IOException {
      LoopDisk.dropCaches();
      guest.limit(Disks.HDD_READS_PER_SECOND, Disks.HDD_BYTES_PER_SECOND);
    }

    /** What an operator who knew what will be read would have done before. */
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
          // It begins empty.
        }
      }
    }

    /** What is the rate worth against that before something? */
    private void compare(String path, double before) {
      results.add(PATH + path, peer.title(), run, Map.of("reads/s / before", rate / before));
    }

    private void measure(String path, Load... all) throws IOException, InterruptedException {
      List<Sample> samples = new ArrayList<>();
      ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
      Slice slice;
      try {
        ScheduledFuture<?> sampling = timer.scheduleAtFixedRate(() -> {
          try {
            samples.add(Sample.now(guest));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }, 0, STEP, TimeUnit.SECONDS);
        slice = Slice.of(cluster, all);
        if (sampling.isDone()) {
          throw new IOException("the guest cannot be asked what it has counted");
        }
      } finally {
        timer.shutdown();
        timer.awaitTermination(STEP, TimeUnit.SECONDS);
      }
      if (peer.cache.equals(Guest.NONE)) {
        // What is written there later on is due to what was measured, too.
        Run.output("sync", "-f", guest.ssd().toString());
      }
      Sample end = Sample.now(guest);
      int length = (int) all[0].seconds();
      while (samples.size() > length / STEP) {
        samples.remove(samples.size() - 1);
      }
      samples.add(end);
      add(path, slice, samples);
    }

    private void add(String path, Slice slice, List<Sample> samples) throws IOException {
      Guest.Counters did = samples.get(samples.size() - 1).guest.since(samples.get(0).guest);
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
      results.add(PATH + path, peer.title(), run, figures);
      long[] reads = new long[samples.size() - 1];
      for (int i = 0; i < reads.length; i++) {
        Sample from = samples.get(i);
        Sample to = samples.get(i + 1);
        reads[i] = result.reads(STEP * i, STEP * (i + 1));
        double idle = Math.min(to.idleShare(from), to.guest.since(from.guest).idleShare());
        String span = STEP * i + "-" + STEP * (i + 1) + "s";
        results.add(PATH + path + "/" + span, peer.title(), run, Map.of(
            "reads", (double) reads[i], "idle share of a CPU", idle,
            "HDD reads", (double) to.guest.since(from.guest).hdd().reads()));
        if (idle < leastIdle) {
          leastIdle = idle;
          busiest = path + " of " + peer + ", " + span + " of run " + run;
        }
      }
      rate = (double) reads[reads.length - 1] / STEP;
      if (path.equals(Phase.SATURATED.toString())) {
        windows.computeIfAbsent(run, key -> new EnumMap<>(Peer.class)).put(peer, reads);
        results.add(PATH + path, peer.title(), run, LongStream.range(0, length)
            .map(second -> result.bySecond().get((int) second)).toArray());
        if (peer == Peer.STOCK) {
          hddShare = Math.min(hddShare, did.hdd().reads()
              / ((double) Disks.HDD_READS_PER_SECOND * length));
        } else if (placed + did.ssd().bytesWritten() == 0) {
          throw new IOException(peer + " has written nothing to the SSD");
        }
      }
    }
  }

  /**
   * What was counted up to a moment.
   *
   * @param idle ticks of this machine's CPUs
   * @param ticks all of them
   */
  private record Sample(Guest.Counters guest, double idle, double ticks) {

    static Sample now(Guest guest) throws IOException {
      Guest.Counters counters = guest.counters();
      double[] ticks = Arrays.stream(Files.readAllLines(Path.of("/proc/stat")).get(0)
          .split("\\s+")).skip(1).limit(8).mapToDouble(Double::parseDouble).toArray();
      // Idle, and waiting for a disk.
      return new Sample(counters, ticks[3] + ticks[4], Arrays.stream(ticks).sum());
    }

    double idleShare(Sample earlier) {
      return (idle - earlier.idle) / (ticks - earlier.ticks);
    }
  }

  /** What follows from all runs together. */
  private void conclude() {
    refusals(leastIdle, busiest, hddShare).forEach(results::refuseRatios);
    if (results.hasRatios()) {
      windows.forEach((run, ofAll) -> ofAll.forEach((peer, reads) -> {
        long[] stock = ofAll.get(Peer.STOCK);
        IntStream.range(0, reads.length).filter(i -> reads[i] >= GAIN * stock[i]).findFirst()
            .ifPresent(i -> results.add(PATH + Phase.SATURATED, peer.title(), run,
                Map.of("first gain s", (double) STEP * i)));
      }));
    }
  }

  /**
   * Why nothing follows from a run.
   *
   * @param idle the least share of time in which the CPUs of machine and guest had nothing to do
   * @param where that was
   * @param hdd the least share of its reads that the HDD did for the stock DataNode
   * @return nothing if it was the HDD that limited, and no CPU
   */
  static List<String> refusals(double idle, String where, double hdd) {
    List<String> all = new ArrayList<>();
    if (idle < IDLE) {
      all.add(String.format(Locale.ROOT, "a CPU was the bound: %.0f %% of it were idle in %s, and at "
          + "least %.0f %% must be", idle * 100, where, IDLE * 100));
    }
    if (hdd < HDD_SHARE) {
      all.add(String.format(Locale.ROOT, "the HDD was not the bound: for the stock DataNode it did "
          + "%.0f %% of the reads that it can do, and it must do at least %.0f %%", hdd * 100,
          HDD_SHARE * 100));
    }
    return all;
  }

  private List<Peer> present() {
    return Arrays.stream(Peer.values())
        .filter(peer -> peer == Peer.STOCK || peers.contains(peer)).toList();
  }

  /** @return the table for people: medians, and ranges of ratios. */
  private Table table() {
    Table table = new Table("variant", ">saturated: reads", ">x stock", ">p50 ms", ">p99 ms",
        ">HDD reads", ">SSD MB written", ">written/served", ">first gain s", ">writes: x stock",
        ">after scan / before", ">after restart / before");
    for (Peer peer : present()) {
      String saturated = PATH + Phase.SATURATED;
      table.row(peer, cell(saturated, peer, "reads", 1), ratio(saturated, peer),
          cell(saturated, peer, "p50 us", 1e3), cell(saturated, peer, "p99 us", 1e3),
          cell(saturated, peer, "HDD reads", 1), cell(saturated, peer, "SSD bytes written", 1e6),
          cell(saturated, peer, "written/served", 1), cell(saturated, peer, "first gain s", 1),
          ratio(PATH + Phase.WRITES, peer), cell(PATH + "after-scan", peer, "reads/s / before", 1),
          cell(PATH + Phase.RESTART, peer, "reads/s / before", 1));
    }
    return table;
  }

  /** @return the table of each 10 s of saturated: against stock, or reads if that was refused. */
  private Table windows() {
    List<String> columns = new ArrayList<>(List.of(results.hasRatios() ? "x stock" : "reads"));
    present().forEach(peer -> columns.add(">" + peer));
    Table table = new Table(columns);
    for (int i = 0; i < seconds(); i += STEP) {
      String span = i + "-" + (i + STEP) + "s";
      String path = PATH + Phase.SATURATED + "/" + span;
      List<String> cells = new ArrayList<>(List.of(span));
      present().forEach(peer -> cells.add(results.hasRatios() && peer != Peer.STOCK
          ? ratio(path, peer) : cell(path, peer, "reads", 1)));
      table.row(cells);
    }
    return table;
  }

  private String ratio(String path, Peer peer) {
    return peer == Peer.STOCK ? "" : text(results.againstStock(path, peer.title(), "reads"), 1);
  }

  private String cell(String path, Peer peer, String figure, double unit) {
    return text(results.measured(path, peer.title(), figure), unit);
  }

  private String text(Spread spread, double unit) {
    if (spread == null) {
      return "";
    }
    String median = number(spread.median() / unit);
    return runs() == 1 ? median
        : median + " (" + number(spread.min() / unit) + " to " + number(spread.max() / unit) + ")";
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.0f", value);
  }
}
