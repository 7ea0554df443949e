/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.apache.hadoop.log.LogThrottlingHelper;

/**
 * All counters of the local cache of one DataNode. Counting takes no lock.
 */
public final class LocalCacheMetrics {

  private static final Logger LOG = LoggerFactory.getLogger(LocalCacheMetrics.class);
  private static final long ERROR_LOG_PERIOD_MS = 10_000;

  private final Map<ReadOutcome, LongAdder> reads = adders(ReadOutcome.class);
  private final Map<Event, LongAdder> events = adders(Event.class);
  private final ReadDurations durations = new ReadDurations();
  private final RecentEvents recent = new RecentEvents();
  private final Map<Operation, Map<ErrorCause, LongAdder>> errors = new EnumMap<>(Operation.class);
  /** One per operation: a helper shared by several would let only the first log again. */
  private final Map<Operation, LogThrottlingHelper> errorLogs = new EnumMap<>(Operation.class);
  private volatile LongSupplier shortCircuitOpens = () -> -1;
  private volatile long slowNanos = Long.MAX_VALUE;

  /** Starts with all counters at zero. */
  public LocalCacheMetrics() {
    for (Operation operation : Operation.values()) {
      errors.put(operation, adders(ErrorCause.class));
      errorLogs.put(operation, new LogThrottlingHelper(ERROR_LOG_PERIOD_MS));
    }
  }

  private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> type) {
    Map<E, LongAdder> adders = new EnumMap<>(type);
    Stream.of(type.getEnumConstants()).forEach(e -> adders.put(e, new LongAdder()));
    return adders;
  }

  /** Counts a finished read, with its bytes from SSD and data volume if a client got them. */
  public void read(ReadOutcome outcome, long bytesFromSsd, long bytesFromVolume) {
    reads.get(outcome).increment();
    if (outcome == ReadOutcome.BYPASS_NOT_CLIENT) {
      // DataNodes that reconstruct a block read what nobody would cache: this is not offload lost.
      return;
    }
    add(Event.BYTES_HIT, bytesFromSsd);
    add(outcome.isBypass() ? Event.BYTES_BYPASS : Event.BYTES_MISS, bytesFromVolume);
  }

  /**
   * Counts the duration of a finished read.
   *
   * @param bytes that were sent
   * @param nanos from the request to the last byte
   */
  public void readTook(ReadOutcome outcome, long bytes, long nanos) {
    durations.add(outcome, bytes, nanos);
  }

  /** Sets the wait for a disk or SSD from which a read counts as slow. */
  public void setSlowNanos(long nanos) {
    slowNanos = nanos;
  }

  /** A client's data was read from a data volume, or from the OS page cache. */
  public void volumeTook(long nanos) {
    took(nanos, Event.READ_NANOS_HDD, Event.SLOW_READS_HDD);
  }

  /** A read waited for page data that was not in memory, successfully or not. */
  public void ssdTook(long nanos) {
    took(nanos, Event.READ_NANOS_SSD, Event.SLOW_READS_SSD);
  }

  private void took(long nanos, Event all, Event slow) {
    add(all, nanos);
    if (nanos > slowNanos) {
      count(slow);
    }
  }

  /** @return how long clients' reads took. */
  public ReadDurations durations() {
    return durations;
  }

  /** @return the recent events. */
  public RecentEvents recent() {
    return recent;
  }

  /** Counts an event. */
  public void count(Event event) {
    events.get(event).increment();
  }

  /** Counts several events, or bytes. */
  public void add(Event event, long n) {
    if (n != 0) {
      events.get(event).add(n);
    }
  }

  /** Counts an error, and logs it unless one of the same operation was logged just before. */
  public void error(Operation operation, Throwable error) {
    error(operation, "", error);
  }

  /** The same of an SSD, which the log names. @param ssd its directory */
  public void error(Operation operation, Path ssd, Throwable error) {
    error(operation, " on " + ssd, error);
  }

  private void error(Operation operation, String where, Throwable error) {
    ErrorCause cause = ErrorCause.of(error);
    errors.get(operation).get(cause).increment();
    LogThrottlingHelper.LogAction action = errorLogs.get(operation).record();
    if (action.shouldLog()) {
      // Only an internal error needs its stack trace.
      LOG.warn("Local cache: {} failed ({}){}: {}; reads continue from the data volumes. {} such "
          + "errors since the last message.", operation, cause, where, error.toString(),
          action.getCount(), cause == ErrorCause.INTERNAL ? error : null);
    }
  }

  /** @return number of reads with the outcome. */
  public long reads(ReadOutcome outcome) {
    return reads.get(outcome).sum();
  }

  /** @return number of events, or bytes. */
  public long total(Event event) {
    return events.get(event).sum();
  }

  /** @return number of errors. */
  public long errors(Operation operation, ErrorCause cause) {
    return errors.get(operation).get(cause).sum();
  }

  /** Receives numbers of errors. */
  public interface ErrorConsumer {

    /** @param number of errors of the operation with the cause */
    void accept(Operation operation, ErrorCause cause, long number);
  }

  /** Passes on each number of errors. */
  public void forEachError(ErrorConsumer consumer) {
    errors.forEach((operation, causes) -> causes.forEach((cause, number) ->
        consumer.accept(operation, cause, number.sum())));
  }

  /** @return number of errors of all kinds. */
  public long errors() {
    return errors.values().stream().flatMap(causes -> causes.values().stream())
        .mapToLong(LongAdder::sum).sum();
  }

  /** @return byte hit rate: the SSDs' share of the bytes that clients read; null if none. */
  public Double offload() {
    long hit = total(Event.BYTES_HIT);
    return share(hit, hit + total(Event.BYTES_MISS) + total(Event.BYTES_BYPASS));
  }

  /**
   * Computes the hit rate of admitted blocks.
   *
   * @return the share of reads of admitted blocks that SSDs served completely; null if there was
   *     none
   */
  public Double reuseRate() {
    long hits = reads(ReadOutcome.HIT);
    return share(hits,
        hits + reads(ReadOutcome.PARTIAL_HIT) + reads(ReadOutcome.MISS_ADMITTED));
  }

  /** Sets the counter of replicas opened for short-circuit reads; negative: unknown. */
  public void setShortCircuitOpens(LongSupplier counter) {
    shortCircuitOpens = counter;
  }

  /** @return number of replicas opened for short-circuit reads; negative if it is not known. */
  public long shortCircuitOpens() {
    return shortCircuitOpens.getAsLong();
  }

  /**
   * Estimates how much clients read past the local cache: one open may stand for many reads.
   *
   * @return share of short-circuit opens in all opens and reads by clients; null if there was none,
   *     or it is not known
   */
  public Double shortCircuitShare() {
    long opens = shortCircuitOpens();
    long readsOfClients = Arrays.stream(ReadOutcome.values())
        .filter(outcome -> outcome != ReadOutcome.BYPASS_NOT_CLIENT).mapToLong(this::reads).sum();
    return opens <= 0 ? null : share(opens, opens + readsOfClients);
  }

  private static Double share(long part, long whole) {
    return whole == 0 ? null : Double.valueOf((double) part / whole);
  }
}
