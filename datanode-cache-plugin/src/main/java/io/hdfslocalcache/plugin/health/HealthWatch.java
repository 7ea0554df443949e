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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.apache.hadoop.util.Daemon;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks after the SSDs: finds operations that hang, and probes the SSDs that are not normal. */
public final class HealthWatch implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(HealthWatch.class);
  private static final long PERIOD_MILLIS = 200;

  /** An SSD under watch. */
  private static final class Patient {
    private final String name;
    private final SsdIo io;
    private final Probe probe;
    private final HealthLimits limits;
    /** A probe that hangs is the last until it returns. */
    private final AtomicBoolean probing = new AtomicBoolean();

    Patient(Watched ssd, HealthLimits limits) {
      this.name = ssd.name();
      this.io = ssd.io();
      this.probe = ssd.probe();
      this.limits = limits;
    }

    void look() {
      io.check();
      if (io.health().isProbeDue() && probing.compareAndSet(false, true)) {
        Daemon thread = new Daemon(this::probe);
        thread.setName("local-cache-probe-" + name);
        thread.start();
      }
    }

    private void probe() {
      long begin = System.nanoTime();
      try {
        probe.run();
        long nanos = System.nanoTime() - begin;
        if (nanos <= limits.deadlineNanos()) {
          io.health().probeSucceeded();
        } else {
          io.health().probeFailed("took " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
        }
      } catch (IOException | RuntimeException | Error e) {
        io.health().probeFailed(e.toString());
      } finally {
        probing.set(false);
      }
    }
  }

  /** Finds out whether an SSD that is not normal can be used again. */
  public interface Probe {
    /** @throws IOException if it cannot. */
    void run() throws IOException;
  }

  /** An SSD to look after. */
  public record Watched(String name, SsdIo io, Probe probe) {
  }

  private final HealthLimits limits;
  private final List<Patient> patients = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(task -> {
        Daemon daemon = new Daemon(task);
        daemon.setName("local-cache-health");
        return daemon;
      });

  /** Begins to look after these SSDs. */
  public HealthWatch(List<Watched> ssds, HealthLimits limits) {
    this.limits = limits;
    ssds.forEach(this::add);
    thread.scheduleWithFixedDelay(
        this::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Looks after one more. */
  public void add(Watched ssd) {
    patients.add(new Patient(ssd, limits));
  }

  private void look() {
    for (Patient patient : patients) {
      try {
        patient.look();
      } catch (RuntimeException e) {
        // Thrown on, it would end the watch.
        LOG.error("Local cache: looking after {}", patient.name, e);
      }
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
