/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.hdfslocalcache.plugin.ssd.file.PrivateFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much has been written to an SSD: by the local cache since the SSD was new to it, kept in a
 * file beside its pages, and by all others since the SSD was opened.
 */
public final class SsdWear {

  /** What is not known. */
  public static final long UNKNOWN = -1;

  private static final Logger LOG = LoggerFactory.getLogger(SsdWear.class);
  private static final String FILE = "written";
  private static final long STEP_NANOS = TimeUnit.HOURS.toNanos(1);
  /** The present rate is that of the last day. */
  private static final int STEPS = 24;
  /** In less the first filling of an empty SSD says nothing of its life. */
  private static final long LEAST_NANOS = STEP_NANOS;

  /**
   * What has been written.
   *
   * @param writtenBytes by the local cache, since the SSD was new to it
   * @param othersBytes by all others on the same device, since it was opened, or {@link #UNKNOWN}
   * @param enduranceBytes what may be written in the SSD's life; 0: not known
   * @param lifeDays days until that is written if all goes on as in the last day, or
   *     {@link #UNKNOWN}: within the first hour, too
   */
  public record Report(long writtenBytes, long othersBytes, long enduranceBytes, long lifeDays) {

    /** Of an SSD that cannot be used. */
    static final Report NONE = new Report(0, UNKNOWN, 0, UNKNOWN);
  }

  private record Sample(long nanos, long bytes) {
  }

  private final Path file;
  private final LongSupplier device;
  private final LongSupplier nanoTime;
  private final AtomicLong written = new AtomicLong();
  /** The device's count when the local cache had written nothing since the SSD was opened. */
  private final long deviceAtOpen;
  private final long writtenAtOpen;
  private final Object keeping = new Object();
  private final Deque<Sample> samples = new ArrayDeque<>();
  private long others;
  private volatile long endurance;
  private long kept;

  /**
   * Reads what had been written before. May wait for the SSD.
   *
   * @param directory where pages are
   * @param device bytes that anybody has written to the device, or {@link #UNKNOWN}
   */
  SsdWear(Path directory, LongSupplier device, LongSupplier nanoTime) {
    this.file = directory.resolve(FILE);
    this.device = device;
    this.nanoTime = nanoTime;
    this.kept = read();
    this.writtenAtOpen = kept;
    this.deviceAtOpen = device.getAsLong();
    written.set(kept);
    sample();
  }

  private long read() {
    try {
      return Long.parseLong(
          new String(Files.readAllBytes(file), StandardCharsets.US_ASCII).trim());
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException | NumberFormatException e) {
      LOG.warn("Local cache: what was written to the SSD so far is not known, it counts from 0: {}",
          file, e);
      return 0;
    }
  }

  /** @param bytes that may be written in the SSD's life; 0: not known */
  void setEndurance(long bytes) {
    endurance = bytes;
  }

  /** Counts what the local cache writes. */
  public void wrote(long bytes) {
    written.addAndGet(bytes);
  }

  /** Asks the device, and notes once an hour how much it was. To be called once a second. */
  synchronized void sample() {
    others = askDevice();
    long now = nanoTime.getAsLong();
    if (samples.isEmpty() || now - samples.getLast().nanos() >= STEP_NANOS) {
      samples.add(new Sample(now, bytes()));
      if (samples.size() > STEPS + 1) {
        samples.remove();
      }
    }
  }

  /** Keeps over a restart how much was written. May wait for the SSD, and for no reporter. */
  void keep() throws IOException {
    synchronized (keeping) {
      long now = written.get();
      if (now != kept) {
        PrivateFiles.replace(file, false,
            out -> out.write((now + "\n").getBytes(StandardCharsets.US_ASCII)));
        kept = now;
      }
    }
  }

  /** @return what has been written. */
  synchronized Report report() {
    Sample first = samples.getFirst();
    long nanos = nanoTime.getAsLong() - first.nanos();
    long bytes = bytes();
    double perDay = nanos < LEAST_NANOS ? 0
        : (double) (bytes - first.bytes()) / nanos * TimeUnit.DAYS.toNanos(1);
    long left = Math.max(0, endurance - bytes);
    return new Report(written.get(), others, endurance,
        endurance == 0 || perDay <= 0 ? UNKNOWN : (long) (left / perDay));
  }

  /** Of the local cache and of others, as far as known. */
  private long bytes() {
    return written.get() + Math.max(0, others);
  }

  private long askDevice() {
    long now = device.getAsLong();
    return now < 0 || deviceAtOpen < 0 ? UNKNOWN
        : Math.max(0, now - deviceAtOpen - (written.get() - writtenAtOpen));
  }
}
