/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.ErrorText;
import io.hdfslocalcache.time.TimeAndThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Monitors the SSDs: finds operations that hang, and probes the SSDs that are not normal. */
public final class HealthWatch implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(HealthWatch.class);

  /** A monitored SSD. */
  private final class Patient {
    private final Watched ssd;
    /** While a probe hangs, no other starts. */
    private final AtomicBoolean probing = new AtomicBoolean();
    private final Rounds round;

    Patient(Watched ssd) {
      this.ssd = ssd;
      this.round = new Rounds("checking " + ssd.name(), this::look);
    }

    /** While an operation hangs, a probe cannot prove that the SSD works. */
    private void look() {
      if (!ssd.io().check() && ssd.io().health().isProbeDue()
          && probing.compareAndSet(false, true)) {
        boolean started = false;
        try {
          Thread thread = threads.newThread(this::probe);
          thread.setName("local-cache-probe-" + ssd.name());
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
      long begin = ssd.io().runningNanos();
      try {
        long readNanos = ssd.probe().run(ssd.io()::runningNanos);
        long nanos = ssd.io().runningNanos() - begin;
        if (nanos <= limits.deadlineNanos()) {
          ssd.io().health().probeSucceeded(readNanos);
        } else {
          ssd.io().health().probeFailed("took " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
        }
      } catch (IOException | RuntimeException | Error e) {
        if (ErrorCause.of(e).isOfDisk()) {
          ssd.io().health().probeFailed(ErrorText.of(e));
        } else {
          LOG.info("Local cache: could not probe {}: {}", ssd.name(), ErrorText.of(e));
        }
      } finally {
        probing.set(false);
      }
    }
  }

  /** Tests whether an SSD that is not normal can be used again. */
  public interface Probe {
    /**
     * Tests the SSD.
     *
     * @param nanoClock clock for the measurement
     * @return how long a read took, in nanoseconds
     * @throws IOException if the SSD cannot be used
     */
    long run(LongSupplier nanoClock) throws IOException;
  }

  /** An SSD to monitor. */
  public record Watched(String name, SsdIo io, Probe probe) {
  }

  private final HealthLimits limits;
  private final ThreadFactory threads;
  private final List<Patient> patients = new CopyOnWriteArrayList<>();
  private final TimeAndThreads.Repetition thread;

  /** Starts monitoring these SSDs. */
  public HealthWatch(List<Watched> ssds, HealthLimits limits) {
    this(ssds, limits, TimeAndThreads.get()::newThread);
  }

  /** The same. @param threads creates the threads that probe */
  HealthWatch(List<Watched> ssds, HealthLimits limits, ThreadFactory threads) {
    this.limits = limits;
    this.threads = threads;
    ssds.forEach(this::add);
    this.thread = TimeAndThreads.get().repeat("local-cache-health",
        TimeUnit.MILLISECONDS.toNanos(SsdIo.TICK_MILLIS),
        new Rounds("checking the SSDs", this::look));
  }

  /** Starts monitoring an SSD. */
  public void add(Watched ssd) {
    patients.add(new Patient(ssd));
  }

  /** Stops monitoring an SSD. */
  public void remove(SsdIo io) {
    patients.removeIf(patient -> patient.ssd.io() == io);
  }

  private void look() {
    patients.forEach(patient -> patient.round.run());
  }

  @Override
  public void close() {
    thread.stopNow();
  }
}
