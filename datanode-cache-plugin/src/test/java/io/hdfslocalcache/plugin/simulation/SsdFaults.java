/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.simulation;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

import io.hdfslocalcache.plugin.simulation.LoggedFileSystem.Call;
import io.hdfslocalcache.time.TimeAndThreads;

/** Faults of SSDs, at most one at a time for each, by the name of its directory. */
final class SsdFaults implements LoggedFileSystem.Faults {

  /** Faults of an SSD. */
  enum Fault {
    READS_FAIL, WRITES_FAIL, ALL_FAILS, HANGS, IS_SLOW, IS_FULL, IS_READ_ONLY, FLIPS_BITS,
    IS_ABSENT, IS_FOREIGN
  }

  private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final Pattern DRAWN = Pattern.compile("[0-9]{7,}");
  private static final int MOST_NANOS = 200_000;

  private final Map<String, Fault> faults = new ConcurrentHashMap<>();
  private final SimulatedDataNode dataNode;
  private final AtomicReference<CompletableFuture<Void>> ends =
      new AtomicReference<>(new CompletableFuture<>());
  private final World world;
  private volatile boolean hadFlips;
  private volatile boolean hadFlipsInState;
  private volatile long lastEnd;

  /** @param world null: in real time, with real threads */
  SsdFaults(SimulatedDataNode dataNode, World world) {
    this.dataNode = dataNode;
    this.world = world;
  }

  /** Sets an SSD's fault, in place of any other. */
  void put(String ssd, Fault fault) {
    hadFlips |= fault == Fault.FLIPS_BITS;
    faults.put(ssd, fault);
    wakeUp();
  }

  /** Ends an SSD's fault. */
  void end(String ssd) {
    if (faults.remove(ssd) != null) {
      lastEnd = TimeAndThreads.get().nanoTime();
    }
    wakeUp();
  }

  /** Ends all faults. */
  void endAll() {
    Map.copyOf(faults).keySet().forEach(this::end);
  }

  /** @return how long no SSD has had a fault. */
  long wellNanos() {
    return faults.isEmpty() ? TimeAndThreads.get().nanoTime() - lastEnd : 0;
  }

  /** @return whether one has ever returned other bytes than were written. */
  boolean hadFlips() {
    return hadFlips;
  }

  /** @return whether that was a copy of what a DataNode saves for its restart. */
  boolean hadFlipsInState() {
    return hadFlipsInState;
  }

  private void wakeUp() {
    ends.getAndSet(new CompletableFuture<>()).complete(null);
  }

  private Fault of(Path path) {
    return path.getNameCount() == 0 ? null : faults.get(path.getName(0).toString());
  }

  @Override
  public void before(Call call, Path path) throws IOException {
    dataNode.checkIsFreeToWait(call + " of " + path);
    if (world != null) {
      // Names made up by the JDK differ when a run is repeated.
      world.mark(Thread.currentThread().getName() + call
          + DRAWN.matcher(path.toString()).replaceAll("#"));
      take(world.draw(MOST_NANOS));
    }
    Fault fault = of(path);
    if (fault == null) {
      return;
    }
    boolean writes = call == Call.WRITE || call == Call.NAMES;
    switch (fault) {
      case READS_FAIL -> failIf(call == Call.READ, "Input/output error");
      case WRITES_FAIL -> failIf(writes, "Input/output error");
      case ALL_FAILS -> failIf(call != Call.CLOSE, "Input/output error");
      case IS_FULL -> failIf(call == Call.WRITE, "No space left on device");
      case IS_READ_ONLY -> failIf(writes, "Read-only file system");
      case IS_ABSENT -> {
        if (call != Call.CLOSE) {
          throw new NoSuchFileException(path.toString());
        }
      }
      case HANGS -> hang(path);
      case IS_SLOW -> take(SLOW_NANOS);
      default -> {
      }
    }
  }

  @Override
  public boolean isForeign(Path path) {
    return of(path) == Fault.IS_FOREIGN && path.getNameCount() == 1;
  }

  private static void failIf(boolean fails, String why) throws IOException {
    if (fails) {
      throw new IOException(why);
    }
  }

  private void hang(Path path) throws IOException {
    while (true) {
      CompletableFuture<Void> end = ends.get();
      if (of(path) != Fault.HANGS) {
        return;
      }
      try {
        end.get();
      } catch (ExecutionException e) {
        throw new AssertionError(e);
      } catch (InterruptedException e) {
        // Like a thread in the kernel: nothing wakes it.
        Thread.currentThread().interrupt();
        throw new IOException("Input/output error");
      }
    }
  }

  private static void take(long nanos) throws IOException {
    try {
      TimeAndThreads.get().sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted system call");
    }
  }

  @Override
  public void afterRead(Path path, ByteBuffer bytes) {
    if (of(path) == Fault.FLIPS_BITS && bytes.hasRemaining()) {
      int at = world != null ? world.draw(bytes.remaining())
          : ThreadLocalRandom.current().nextInt(bytes.remaining());
      bytes.put(at, (byte) (bytes.get(at) ^ 4));
      hadFlipsInState |= path.endsWith("state.json");
    }
  }
}
