/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.micro;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.hdfslocalcache.eviction.Entry;
import io.hdfslocalcache.eviction.LazyLru;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a hit costs in the order of eviction: the page is looked up there, and its use noted. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class NoteUse {
  private static final int PAGES = 262_144;
  private static final double SKEW = 0.9;

  private static final class Page extends Entry {
  }

  /** One order for all threads. */
  @State(Scope.Benchmark)
  public static class Order {
    /** The DataNode's order, and LRU by java.util, with one lock. */
    @Param({"LinkedHashMap", "LazyLru"})
    public String policy;

    private final Draws draws = new Draws(PAGES, SKEW);
    private Long[] names;
    private Consumer<Long> use;

    /** Fills it. */
    @Setup
    public void setUp() {
      names = new Long[PAGES];
      for (int i = 0; i < PAGES; i++) {
        names[i] = Long.valueOf(i);
      }
      use = policy.equals("LinkedHashMap") ? linkedHashMap() : lazyLru();
    }

    private Consumer<Long> linkedHashMap() {
      Map<Long, Boolean> pages = new LinkedHashMap<>(256, 0.75f, true);
      for (int i = PAGES - 1; i >= 0; i--) {
        pages.put(names[i], true);
      }
      return name -> {
        synchronized (pages) {
          pages.replace(name, true);
        }
      };
    }

    private Consumer<Long> lazyLru() {
      LazyLru order = new LazyLru();
      Map<Long, Page> pages = new ConcurrentHashMap<>();
      for (int i = PAGES - 1; i >= 0; i--) {
        pages.put(names[i], new Page());
        order.add(pages.get(names[i]));
      }
      return name -> order.read(pages.get(name));
    }
  }

  /** Where a thread is among the draws. */
  @State(Scope.Thread)
  public static class Reader {
    private int at;

    /** Begins somewhere. */
    @Setup
    public void setUp() {
      at = Draws.start();
    }
  }

  /** Notes a use. */
  @Benchmark
  public void noteUse(Order order, Reader reader, CpuTime cpu) {
    cpu.operations++;
    order.use.accept(order.names[order.draws.get(reader.at++)]);
  }
}
