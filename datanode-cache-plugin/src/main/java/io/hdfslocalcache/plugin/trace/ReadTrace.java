/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.trace;

import java.io.Closeable;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.config.TraceConfig;
import io.hdfslocalcache.plugin.metrics.ErrorText;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The trace of one DataNode's reads: started and stopped by the operator, written by its own
 * thread. A reader never waits for it: reads that the thread cannot keep up with are dropped and
 * counted.
 */
public final class ReadTrace implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(ReadTrace.class);

  /**
   * State of the trace.
   *
   * @param on whether reads are traced
   * @param directory where the files are
   * @param bytes bytes of all files after the last write
   * @param sample share of the blocks whose reads are traced; 1 while off
   * @param anonymous whether names of blocks and readers are replaced; false while off
   * @param reads reads traced since the DataNode started
   * @param dropped reads dropped since the DataNode started
   * @param error why it stopped by itself; empty if it did not
   */
  public record Status(boolean on, String directory, long bytes, double sample,
      boolean anonymous, long reads, long dropped, String error) {
  }

  private final TraceConfig config;
  private final String datanodeUuid;
  private final LocalCacheMetrics metrics;
  private volatile TraceWriter writer;
  private volatile String error = "";
  private volatile long bytes;

  /**
   * Creates the trace; nothing is traced until {@link #start}.
   *
   * @param datanodeUuid separates the files of DataNodes that share a directory
   * @param metrics count traced and dropped reads
   */
  public ReadTrace(TraceConfig config, String datanodeUuid, LocalCacheMetrics metrics) {
    this.config = config;
    this.datanodeUuid = datanodeUuid;
    this.metrics = metrics;
  }

  /**
   * Starts tracing, unless started. The files are opened in the background; if that fails, tracing
   * stops and {@link #status} says why.
   *
   * @param share of the blocks whose reads are traced, above 0 to 1
   * @param anonymous whether names of blocks and readers are replaced, consistently until the end
   * @throws IllegalArgumentException if the share is not valid, or a trace with other options is
   *     running; nothing was changed
   */
  public synchronized void start(double share, boolean anonymous) {
    Sample sample = new Sample(share);
    if (writer != null) {
      if (!writer.sample().equals(sample) || writer.isAnonymous() != anonymous) {
        throw new IllegalArgumentException("a trace with another --sample or --anonymous is "
            + "running; stop it first");
      }
      return;
    }
    error = "";
    try {
      writer = new TraceWriter(
          config, datanodeUuid, sample, anonymous, this::written, this::failed);
      LOG.info("Local cache: tracing reads to {}, sample {}{}",
          config.directory(), share, anonymous ? ", anonymous" : "");
    } catch (OutOfMemoryError e) {
      // No thread can be started. There is no writer that failed.
      failed(null, e);
    }
  }

  private void written(long totalBytes) {
    bytes = totalBytes;
  }

  private synchronized void failed(TraceWriter which, Throwable e) {
    if (writer == which) {
      writer = null;
      error = ErrorText.of(e);
      LOG.error("Local cache: stopped tracing reads: cannot write {}",
          config.directory(), e);
    }
  }

  /** Stops tracing, and waits a moment until the traced reads are in the files. */
  public void stop() {
    TraceWriter open = take();
    if (open != null) {
      open.close();
      LOG.info("Local cache: stopped tracing reads; {} reads traced, {} dropped",
          reads(), dropped());
    }
  }

  private synchronized TraceWriter take() {
    TraceWriter open = writer;
    writer = null;
    return open;
  }

  /** @return whether reads of a block are traced now. */
  public boolean wants(BlockKey block) {
    TraceWriter open = writer;
    return open != null && open.sample().contains(block);
  }

  /** Traces a finished read. */
  public void add(TracedRead read) {
    TraceWriter open = writer;
    if (open != null) {
      metrics.count(open.offer(read) ? Event.TRACED_READS : Event.TRACE_DROPPED_READS);
    }
  }

  /** @return the state of the trace; one that stopped by itself says why. */
  public synchronized Status status() {
    TraceWriter open = writer;
    return new Status(open != null, config.directory().toString(), bytes,
        open == null ? 1 : open.sample().share(), open != null && open.isAnonymous(),
        reads(), dropped(), error);
  }

  private long reads() {
    return metrics.total(Event.TRACED_READS);
  }

  private long dropped() {
    return metrics.total(Event.TRACE_DROPPED_READS);
  }

  @Override
  public void close() {
    stop();
  }
}
