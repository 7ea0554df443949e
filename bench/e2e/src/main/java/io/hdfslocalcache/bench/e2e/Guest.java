/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.harness.disk.LoopDisk;
import io.hdfslocalcache.harness.disk.LoopDisk.DiskStat;

/**
 * An HDD of another kernel, cached by that kernel on an SSD of its own, or beside an SSD of this
 * machine. The HDD is removed when this is closed, or when this process ends in any way: see
 * bench/guest/disks.
 */
final class Guest implements PeerDisks {

  /** Its cache: no guest; the HDD is new, and as fast as memory. */
  static final String NEW_HDD = "new";
  /** Bytes of the SSD. */
  static final long SSD_BYTES = 1200L << 20;

  /** More than any of its steps takes, because a killed guest leaves its devices behind. */
  private static final int END_SECONDS = 300;

  private final Path directory;
  private final LoopDisk ssd;
  private final boolean isCached;
  private final Process process;
  private final BufferedReader answers;
  private final Writer words;

  /**
   * Starts it, and returns when its disks are mounted.
   *
   * @param tools the directory of bench/guest/install-tools
   * @param directory of the HDD's image, in memory
   * @param cache what bench/guest/disks says
   * @param ssd the SSD of this machine; null if nothing asks for it
   */
  Guest(Path tools, Path directory, String cache, LoopDisk ssd) throws IOException {
    this.directory = directory;
    this.ssd = ssd;
    this.isCached = !cache.equals(NO_CACHE);
    process = new ProcessBuilder(Hadoop.HOME.toAbsolutePath().normalize()
        .resolveSibling("guest/disks").toString(),
        tools.toString(), directory.toString(), String.valueOf(SSD_BYTES >> 20), cache)
        .redirectError(directory.resolve("disks.log").toFile()).start();
    answers = process.inputReader();
    words = process.outputWriter();
    String begin = answers.readLine();
    if (!"ready".equals(begin)) {
      close();
      throw failure(begin);
    }
  }

  private IOException failure(String answer) {
    return new IOException("the guest: " + answer + "; its logs are in " + directory);
  }

  private synchronized String tell(String word) throws IOException {
    words.write(word + "\n");
    words.flush();
    String answer = answers.readLine();
    if (answer == null || answer.startsWith("failed")) {
      throw failure(answer);
    }
    return answer;
  }

  private double[] numbers(String word) throws IOException {
    String answer = tell(word);
    try {
      return Arrays.stream(answer.trim().split(" ")).mapToDouble(Double::parseDouble).toArray();
    } catch (NumberFormatException e) {
      // The last output of a dying kernel.
      throw failure(answer);
    }
  }

  @Override
  public Path hdd() {
    return directory.resolve("hdd");
  }

  @Override
  public Path ssd() {
    return ssd.mount();
  }

  @Override
  public void attachCache() throws IOException {
    tell("attach");
  }

  @Override
  public void limit(long operations, long bytes) throws IOException {
    tell("throttle " + operations + " " + bytes);
  }

  @Override
  public String state() throws IOException {
    return tell("state");
  }

  /** Reads the HDD at random, 64 KiB at a time, by 32 readers. */
  Transport transport() throws IOException {
    double[] all = numbers("transport");
    return new Transport(all[0], all[1], all[2] / 1e3);
  }

  /**
   * Throughput of the connection to a guest.
   *
   * @param reads number of reads
   * @param readsPerSecond reads per second
   * @param millis mean duration of a read
   */
  record Transport(double reads, double readsPerSecond, double millis) {

    /** Bytes of a read. */
    static final int BYTES = 64 << 10;
  }

  @Override
  public Counters counters() throws IOException {
    double[] all = numbers("counters");
    return new Counters(disk(all, 0), isCached ? disk(all, 4) : ssd.stat(),
        all[all.length - 2], all[all.length - 1]);
  }

  private static DiskStat disk(double[] all, int from) {
    return new DiskStat((long) all[from], (long) all[from + 1], (long) all[from + 2],
        (long) all[from + 3]);
  }

  @Override
  public void close() {
    try {
      words.close();
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      process.destroyForcibly();
    }
  }
}
