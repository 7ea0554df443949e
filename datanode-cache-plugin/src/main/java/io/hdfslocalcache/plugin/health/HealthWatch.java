/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.hdfslocalcache.plugin.metrics.ErrorCause;
import org.apache.hadoop.util.Daemon;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks after the SSDs: finds operations that hang, and probes the SSDs that are not normal. */
public final class HealthWatch implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(HealthWatch.class);

  /** An SSD under watch. */
  private static final class Patient {
    private final String name;
    private final SsdIo io;
    private final Probe probe;
    private final HealthLimits limits;
    /** A probe that hangs is the last until it returns. */
    private final AtomicBoolean probing = new AtomicBoolean();
    private final ThreadFactory threads;
    private final Rounds round;

    Patient(Watched ssd, HealthLimits limits, ThreadFactory threads) {
      this.name = ssd.name();
      this.threads = threads;
      this.round = new Rounds("looking after " + name, this::look);
      this.io = ssd.io();
      this.probe = ssd.probe();
      this.limits = limits;
    }

    /** While an operation hangs, no probe could prove that the SSD is well. */
    private void look() {
      if (!io.check() && io.health().isProbeDue() && probing.compareAndSet(false, true)) {
        boolean started = false;
        try {
          Thread thread = threads.newThread(this::probe);
          thread.setName("local-cache-probe-" + name);
          thread.start();
          started = true;
        } finally {
          if (!started) {
            probing.set(false);
          }
        }
      }
    }

    private void probe() {
      long begin = io.runningTime().nanos();
      try {
        probe.run();
        long nanos = io.runningTime().nanos() - begin;
        if (nanos <= limits.deadlineNanos()) {
          io.health().probeSucceeded();
        } else {
          io.health().probeFailed("took " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
        }
      } catch (IOException | RuntimeException | Error e) {
        if (ErrorCause.of(e).isOfDisk()) {
          io.health().probeFailed(e.toString());
        } else {
          LOG.info("Local cache: {} could not be probed: {}", name, e.toString());
        }
      } finally {
        probing.set(false);
      }
    }
  }

  /** Finds out whether an SSD that is not normal can be used again. */
  public interface Probe {
    /** @throws IOException if it cannot */
    void run() throws IOException;
  }

  /** An SSD to look after. */
  public record Watched(String name, SsdIo io, Probe probe) {
  }

  private final HealthLimits limits;
  private final ThreadFactory threads;
  private final List<Patient> patients = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(task -> {
        Daemon daemon = new Daemon(task);
        daemon.setName("local-cache-health");
        return daemon;
      });

  /** Begins to look after these SSDs. */
  public HealthWatch(List<Watched> ssds, HealthLimits limits) {
    this(ssds, limits, Daemon::new);
  }

  /** The same. @param threads makes the threads that probe */
  HealthWatch(List<Watched> ssds, HealthLimits limits, ThreadFactory threads) {
    this.limits = limits;
    this.threads = threads;
    ssds.forEach(this::add);
    thread.scheduleWithFixedDelay(new Rounds("looking after the SSDs", this::look),
        RunningTime.TICK_MILLIS, RunningTime.TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Looks after one more. */
  public void add(Watched ssd) {
    patients.add(new Patient(ssd, limits, threads));
  }

  /** Looks after it no more. */
  public void remove(SsdIo io) {
    patients.removeIf(patient -> patient.io == io);
  }

  private void look() {
    patients.forEach(patient -> patient.round.run());
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
