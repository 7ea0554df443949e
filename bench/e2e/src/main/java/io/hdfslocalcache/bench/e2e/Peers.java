/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.hdfslocalcache.harness.ProcessCluster.Places;
import io.hdfslocalcache.harness.disk.IoGroup;
import io.hdfslocalcache.harness.disk.LoopDisk;
import io.hdfslocalcache.harness.disk.LoopDisk.DiskStat;
import io.hdfslocalcache.harness.disk.Undo;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The load of {@link SaturatedStage} with the local cache and its alternatives. Each has the same
 * HDD of a guest, the same memory, and the machine for itself. The SSD is where its user is: block
 * caches have it in the guest, a DataNode on this machine. A read of it then does not cross the
 * connection to the guest, so it is limited to the connection's reads per second.
 */
@Command(name = "bench/peers", sortOptions = false, description = {
    "Compares the local cache with lvmcache, bcache, HDFS storage policies and the pmem cache, on the "
        + "same emulated disks. Writes bench/results/DATE-NAME.json.",
    "A run of a variant is saturated, then scan, then restart; writes runs separately. Each takes "
        + "its seconds and about 40 more. Needs root, 6 GB in DIR and Debian's packages. On disks of this "
        + "machine: bench/on-my-hardware.",
    ""})
public final class Peers implements Callable<Integer> {

  /** The alternatives. */
  enum Peer {
    STOCK(Variant.STOCK, PeerDisks.NO_CACHE),
    LVMCACHE_64K(Variant.stock("lvmcache 64k"), "lvmcache-64k"),
    LVMCACHE_1M(Variant.stock("lvmcache 1m"), "lvmcache-1m"),
    BCACHE(Variant.stock("bcache"), "bcache"),
    /** Also caches sequential reads, and also when the SSD is busy. */
    BCACHE_ALL(Variant.stock("bcache all"), "bcache-all"),
    /** The files that will be read most are on the SSD. */
    ALL_SSD(Variant.twoVolumes("ALL_SSD"), PeerDisks.NO_CACHE),
    /** A third of this DataNode's files is on the SSD, as if one of three replicas was. */
    ONE_SSD(Variant.twoVolumes("ONE_SSD"), PeerDisks.NO_CACHE),
    /** The files that will be read most are on the SSD, too. */
    PMEM_CACHE(Variant.PMEM_CACHE, PeerDisks.NO_CACHE),
    LOCAL_CACHE(Variant.LOCAL_CACHE.with(LocalCacheKeys.RESERVED, "0"), PeerDisks.NO_CACHE),
    /** May write as much as lvmcache and bcache: its SSD once more in each 200 s. */
    LARGER_BUDGET(LOCAL_CACHE.variant.named("larger budget")
        .with(WriteBudgetRateLimit.BUDGET_KEY,
            String.valueOf(Guest.SSD_BYTES * TimeUnit.DAYS.toSeconds(1) / 200)),
        PeerDisks.NO_CACHE);

    private final Variant variant;
    private final String cache;

    Peer(Variant variant, String cache) {
      this.variant = variant;
      this.cache = cache;
    }

    Variant variant() {
      return variant;
    }

    /** @return the guest's cache between HDD and SSD. */
    String cache() {
      return cache;
    }

    /** @return its name in results. */
    String title() {
      return variant.name();
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** The phases. */
  enum Phase {
    /** 32 readers, more than the HDD can serve, with empty caches. */
    SATURATED,
    /** The same, while another client writes a tenth of a stock DataNode's read rate. */
    WRITES,
    /** After saturated: four other readers read new files. */
    SCAN,
    /** Then: the DataNode is restarted with an empty OS page cache. */
    RESTART;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Prefix of the results' paths. */
  static final String PATH = "peers/";
  /** The cluster that wrote the data. */
  static final String WRITTEN = "written";
  /** Subdirectory of the given directories; deleted in the end. */
  private static final String OWN = "hdfs-local-cache-bench";
  /** Directory of the guest's programs. */
  private static final Path TOOLS = Hadoop.HOME.resolve("target/guest");
  /** Files of the load, of the warm-up, and of the scan. */
  private static final int FILES = Sitting.COLD_FIRST + Sitting.COLD;
  /** Minimum throughput of the connection to the guest, in reads of 64 KiB per second. */
  private static final double TRANSPORT = 600;
  /** With less idle time than this, a CPU is the bottleneck. */
  private static final double IDLE = 0.05;
  /** Multiple of stock's reads that counts as a gain. */
  private static final double GAIN = 1.1;
  /** With a lower share of its reads than this, the HDD is not a stock DataNode's bottleneck. */
  private static final double HDD_SHARE = 0.9;

  @Spec
  private CommandSpec spec;

  @Option(names = "--variants", paramLabel = "V", split = ",",
      description = "Some of: ${COMPLETION-CANDIDATES} (default: all but the last; stock is always "
          + "included).")
  private List<Peer> peers = List.copyOf(EnumSet.complementOf(EnumSet.of(Peer.LARGER_BUDGET)));

  @Option(names = "--loads", paramLabel = "L", split = ",",
      description = "Some of: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private List<Phase> loads = List.of(Phase.SATURATED);

  @Option(names = "--seconds", paramLabel = "S",
      description = "Seconds of saturated and of writes, a multiple of 10 (default: "
          + "${DEFAULT-VALUE}). Scan takes a fifth of them, and 10 s at least.")
  private int seconds = 150;

  @Option(names = "--runs", paramLabel = "N",
      description = "Number of runs of all (default: ${DEFAULT-VALUE}).")
  private int runs = 1;

  @Option(names = "--name", paramLabel = "NAME",
      description = "Last part of the name of the result (default: ${DEFAULT-VALUE}).")
  private String name = "peers";

  @Option(names = "--dir", paramLabel = "DIR", description = "The disks' directory, in memory, so "
      + "that no real disk is measured (default: ${DEFAULT-VALUE}).")
  private Path directory = Path.of("/dev/shm/hdfs-local-cache-peers");

  @Option(names = "--hdd", paramLabel = "DIR", description = "A directory on an HDD of this machine, "
      + "with 6 GB of space, instead of the emulated one; without lvmcache and bcache.")
  private Path hdd;

  @Option(names = "--ssd", paramLabel = "DIR",
      description = "With --hdd: a directory on an SSD of this machine, with 2 GB of space.")
  private Path ssd;

  @Option(names = "--seed", paramLabel = "N",
      description = "Seed of the first run's reads (default: random).")
  private long seed = new Random().nextInt(1_000_000);

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "Shows this help and exits.")
  private boolean help;

  private final String command;
  private Hadoop hadoop;
  private Results results;
  private Path base;
  /** The SSD of a DataNode, if the HDD is that of a guest. */
  private LoopDisk ssdHere;
  private IoGroup group;
  private List<Path> groups;
  private boolean isTransportKnown;
  private boolean isComplete = true;
  /** The lowest share of the HDD's possible reads with the stock DataNode. */
  private double hddShare = 1;
  /** Reads of saturated in each 10 s, by run. */
  private final Map<Integer, Map<Peer, long[]>> windows = new HashMap<>();

  private Peers(String command) {
    this.command = command;
  }

  /** Exits with 0; 1: something failed or did not cache; 2: wrong command line. */
  public static void main(String[] args) {
    System.exit(commandLine(args).execute(args));
  }

  /** @return the parser of the command line. */
  static CommandLine commandLine(String... args) {
    return Bench.commandLine(new Peers("bench/peers " + String.join(" ", args)))
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  /** @return seconds of saturated and of writes. */
  int seconds() {
    return seconds;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (seconds < Sitting.STEP || seconds > 300 || seconds % Sitting.STEP != 0) {
      throw new ParameterException(spec.commandLine(),
          "--seconds: must be a multiple of 10 up to 300, not " + seconds);
    }
    if (!name.matches("[\\w.-]+")) {
      throw new ParameterException(spec.commandLine(),
          "--name: must be letters, digits, dots and dashes, not '" + name + "'");
    }
    if (runs < 1 || runs > 20) {
      throw new ParameterException(spec.commandLine(),
          "--runs: must be from 1 to 20, not " + runs);
    }
    if (hdd == null != (ssd == null)) {
      throw new ParameterException(spec.commandLine(), "--hdd and --ssd: give both, or none");
    }
    if (hdd != null) {
      try {
        DiskStat.of(hdd);
        DiskStat.of(ssd);
      } catch (IOException e) {
        throw new ParameterException(spec.commandLine(), "--hdd, --ssd: " + e.getMessage());
      }
    }
    hadoop = Hadoop.built(null);
    Path file = Bench.resultFile(name);
    Map<String, Object> environment = Bench.environment(command, hadoop);
    environment.put("runs", runs + " of " + seconds + " s");
    environment.put("seed", seed);
    environment.put("disks", hdd != null ? "HDD " + hdd + ", SSD " + ssd
        : "HDD " + Disks.HDD_READS_PER_SECOND + " reads/s and "
            + Disks.HDD_BYTES_PER_SECOND / 1_000_000 + " MB/s, as much again for writes; SSD "
            + (Guest.SSD_BYTES >> 20) + " MB");
    environment.put("memory", "DataNode and OS page cache " + (SaturatedStage.MEMORY >> 20) + " MB");
    results = new Results(environment);
    if (hdd == null) {
      results.note("The HDD is that of a guest with one CPU, and has no seek order: each operation "
          + "takes as long, whatever its position. The SSD of lvmcache and bcache is in the guest, the "
          + "others' on this machine. A cache of the guest uses the guest's memory, not the "
          + "DataNode's.");
    }
    try {
      Files.createDirectories(directory);
      measure();
    } finally {
      environment.put("load average at the end", Bench.load());
      if (!results.isEmpty()) {
        conclude();
        Path page = Files.createDirectories(Hadoop.HOME.resolve("target/work")).toRealPath()
            .resolve(name + ".html");
        results.write(file, page);
        System.out.println("\n" + results.text() + "Result: " + file + "; as a page: " + page);
      }
    }
    return isComplete ? 0 : 1;
  }

  private void measure() throws IOException, InterruptedException {
    // For this run alone: another one may be running elsewhere.
    base = Hadoop.HOME.resolve("target/work/" + name);
    try (Undo undo = new Undo(Path.of(System.getProperty("bench.undo", base + ".undo")))) {
      if (hdd == null) {
        undo.add("rm -f '" + directory.resolve("hdd.img") + "'");
        // More than the DataNode may use: the file system needs some.
        ssdHere = LoopDisk.create(directory.resolve("ssd"), Guest.SSD_BYTES * 9 / 8, undo);
        group = IoGroup.create(ssdHere, undo);
        groups = List.of(group.processes(), group.limitMemory(SaturatedStage.MEMORY, undo));
      } else {
        undo.add("rm -rf '" + ofThisMachine().hdd() + "' '" + ofThisMachine().ssd() + "'");
        groups = List.of(IoGroup.memoryGroup("peers", SaturatedStage.MEMORY, undo));
      }
      System.out.println("write " + FILES + " files");
      try (PeerDisks disks = disks(Guest.NEW_HDD)) {
        new Places(base, disks.hdd(), base.resolve("no-ssd"), List.of()).prepare();
        Cluster.write(hadoop, places(disks, Peer.BCACHE, List.of()).of(WRITTEN), FILES);
      }
      for (int run = 1; run <= runs; run++) {
        // Rotates the order, so that none gains by being first.
        List<Peer> order = new ArrayList<>(present());
        Collections.rotate(order, run - 1);
        for (Peer peer : order) {
          if (loads.stream().anyMatch(phase -> phase != Phase.WRITES)) {
            sit(peer, run, Phase.SATURATED);
          }
          if (loads.contains(Phase.WRITES)) {
            sit(peer, run, Phase.WRITES);
          }
        }
      }
    }
  }

  /** Runs all phases with one guest, from empty caches on. */
  private void sit(Peer peer, int run, Phase first) throws InterruptedException {
    System.out.println("run " + run + " of " + runs + ": " + first + " of " + peer);
    try (PeerDisks disks = disks(peer.cache())) {
      new Sitting(this, peer, run, disks).run(first);
    } catch (IOException e) {
      // The others are still measured.
      isComplete = false;
      results.note("Failed, so that figures of " + peer + " in run " + run + " are missing: "
          + e.getMessage());
    }
  }

  private PeerDisks disks(String cache) throws IOException {
    return hdd != null ? ofThisMachine() : new Guest(TOOLS, directory, cache, ssdHere);
  }

  private PeerDisks ofThisMachine() throws IOException {
    return new PeerDisks.OfThisMachine(Files.createDirectories(hdd.resolve(OWN)),
        Files.createDirectories(ssd.resolve(OWN)));
  }

  /** @return places of a cluster on these disks; those of {@code written} have the data. */
  Places places(PeerDisks disks, Peer peer, List<Path> groups) {
    return new Places(base, disks.hdd().resolve("data"), peer.cache().equals(PeerDisks.NO_CACHE)
        ? disks.ssd().resolve("pages") : base.resolve("no-ssd"), groups);
  }

  /** @return the process groups of all DataNodes, one after the other. */
  List<Path> groups() {
    return groups;
  }

  Hadoop hadoop() {
    return hadoop;
  }

  Results results() {
    return results;
  }

  long seed() {
    return seed;
  }

  boolean wants(Phase phase) {
    return loads.contains(phase);
  }

  /** Without ratios if a CPU was the bottleneck. @param idle share of a CPU's idle time */
  static void judge(Results results, String path, Peer peer, double idle, String when) {
    if (idle < IDLE) {
      results.refuseRatios(path, peer.title(), String.format(Locale.ROOT, "a CPU was the bottleneck: "
          + "%.1f %% idle in %s, at least %.0f %% are needed", idle * 100, when, IDLE * 100));
    }
  }

  /** Records the reads of each 10 s. @param hddReads reads of the HDD, for a stock DataNode */
  void saturated(Peer peer, int run, long[] reads, long hddReads) {
    windows.computeIfAbsent(run, key -> new EnumMap<>(Peer.class)).put(peer, reads);
    if (peer == Peer.STOCK) {
      hddShare = Math.min(hddShare,
          (double) hddReads / (Disks.HDD_READS_PER_SECOND * Sitting.STEP * reads.length));
    }
  }

  /** Measures the throughput to a guest once, and limits the SSD of this machine to it. */
  void measureTransport(PeerDisks disks) throws IOException {
    if (isTransportKnown || !(disks instanceof Guest guest)) {
      return;
    }
    isTransportKnown = true;
    LoopDisk.dropCaches();
    Guest.Counters before = guest.counters();
    Guest.Transport transport = guest.transport();
    double split = guest.counters().since(before).hdd().reads() / transport.reads();
    results.note(String.format(Locale.ROOT, "The connection to the guest carries %.0f random reads "
        + "of 64 KiB a second, %.1f ms each with 32 readers; each is %.2f reads of the HDD.",
        transport.readsPerSecond(), transport.millis(), split));
    group.limit((long) transport.readsPerSecond() * Guest.Transport.BYTES,
        (long) transport.readsPerSecond());
    if (transport.readsPerSecond() < TRANSPORT || split > 1.2) {
      results.refuseRatios("the connection to the guest must carry " + (int) TRANSPORT
          + " reads a second, each of them one of the HDD");
    }
  }

  /** Evaluates all runs together. */
  private void conclude() {
    String path = PATH + Phase.SATURATED;
    judge(results, hdd == null ? hddShare : 1);
    windows.forEach((run, ofAll) -> ofAll.forEach((peer, reads) -> {
      long[] stock = ofAll.get(Peer.STOCK);
      IntStream.range(0, reads.length).filter(i -> results.hasRatios(path, peer.title())
          && reads[i] >= GAIN * stock[i]).findFirst().ifPresent(i -> results.add(
              path, peer.title(), run, Map.of("first gain s", (double) Sitting.STEP * i)));
    }));
  }

  /**
   * Without ratios if the HDD was not a stock DataNode's bottleneck.
   *
   * @param hdd the lowest share of its possible reads that it did for that
   */
  static void judge(Results results, double hdd) {
    if (hdd < HDD_SHARE) {
      results.refuseRatios(String.format(Locale.ROOT, "the HDD was not the bottleneck: it did %.0f %% "
          + "of its possible reads for the stock DataNode, at least %.0f %% are needed", hdd * 100,
          HDD_SHARE * 100));
    }
  }

  private List<Peer> present() {
    return Arrays.stream(Peer.values())
        .filter(peer -> peer == Peer.STOCK || peers.contains(peer))
        .filter(peer -> hdd == null || peer.cache().equals(PeerDisks.NO_CACHE)).toList();
  }
}
