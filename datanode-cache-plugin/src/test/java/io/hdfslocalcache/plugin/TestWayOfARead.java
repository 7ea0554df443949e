/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.testing.LocalCacheCluster;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.matcher.ElementMatchers;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * How many classes of the DataNode's half a read or a delete passes: those that a developer has to
 * know to change it. Counts top-level classes with a method that runs in a thread serving the
 * operation, or in a thread of the local cache to which that hands work.
 */
public class TestWayOfARead {

  private static final int LENGTH = 3 * LocalCacheCluster.PAGE;
  /** Run in the background, not for a read. */
  private static final List<String> OTHERS = List.of("absent", "buffers", "health", "keep", "last-hour",
      "open", "restore", "rules", "state", "trace", "trash", "upkeep");

  private static LocalCacheCluster cluster;

  /** Called at the beginning of each method of ours. */
  public static final class Recorder {
    /** The classes that have been passed. */
    public static final Set<String> PASSED = ConcurrentHashMap.newKeySet();
    /** Whether classes are noted. */
    public static volatile boolean isOn;

    private Recorder() {
    }

    /** A method begins. @param type its class */
    public static void enter(Class<?> type) {
      if (isOn) {
        String thread = Thread.currentThread().getName();
        if (thread.contains("DataXceiver") || thread.contains("AsyncDiskWorker")
            || thread.startsWith("local-cache-") && OTHERS.stream().noneMatch(other ->
                thread.startsWith("local-cache-" + other))
            || thread.contains("BP-")) {
          String name = type.getName();
          int nested = name.indexOf('$');
          PASSED.add(nested < 0 ? name : name.substring(0, nested));
        }
      }
    }
  }

  /** The code inserted at the beginning of each method. */
  private static final class Enter {
    @Advice.OnMethodEnter
    static void enter(@Advice.Origin Class<?> type) {
      Recorder.enter(type);
    }
  }

  @BeforeClass
  public static void start() throws IOException {
    Instrumentation jvm = ByteBuddyAgent.install();
    new AgentBuilder.Default()
        .disableClassFormatChanges()
        .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
        .ignore(ElementMatchers.nameContains("TestWayOfARead"))
        .type(ElementMatchers.nameStartsWith("io.hdfslocalcache.plugin.")
            .or(ElementMatchers.nameStartsWith("io.hdfslocalcache.ratelimit."))
            .or(ElementMatchers.nameStartsWith("io.hdfslocalcache.eviction.")))
        .transform((builder, type, loader, module, domain) -> builder.visit(
            Advice.to(Enter.class).on(ElementMatchers.isMethod().and(
                ElementMatchers.not(ElementMatchers.isAbstract())))))
        .installOn(jvm);
    cluster = LocalCacheCluster.builder()
        .set(LocalCacheKeys.MEMORY_SIZE, "1m").threshold(0).start();
  }

  @AfterClass
  public static void stop() {
    cluster.close();
  }

  private interface Operation {
    void run() throws Exception;
  }

  /** @return the classes that are passed by an operation. */
  private static Set<String> passed(String what, Operation operation) throws Exception {
    cluster.settle();
    Recorder.PASSED.clear();
    Recorder.isOn = true;
    operation.run();
    Recorder.isOn = false;
    Set<String> passed = new TreeSet<>(Recorder.PASSED);
    System.out.println(what + ": " + passed.size() + " classes");
    passed.forEach(name -> System.out.println("  " + name.replace("io.hdfslocalcache.", "")));
    return passed;
  }

  @Test
  public void classes_ofEachWay_areFew() throws Exception {
    byte[] bytes = cluster.write("/a", LENGTH);
    cluster.write("/other", LENGTH);
    cluster.readUntilCached("/other");
    Set<String> miss = passed("a miss that fills", () -> {
      assertArrayEquals(bytes, cluster.read("/a"));
      LocalCacheCluster.await("filled", () -> {
        try {
          return cluster.cached(0, "/a") != null && cluster.cached(0, "/a").wholePages() == 3;
        } catch (IOException e) {
          throw new AssertionError(e);
        }
      });
    });
    cluster.cache(0).memory().setOpen(false);
    Set<String> ofSsd = passed("a hit on the SSD", () ->
        assertArrayEquals(bytes, cluster.read("/a")));
    cluster.cache(0).memory().setOpen(true);
    cluster.readUntilInMemory("/a");
    Set<String> ofMemory = passed("a hit in memory", () ->
        assertArrayEquals(bytes, cluster.read("/a")));
    ExtendedBlock block = cluster.block("/a");
    Set<String> delete = passed("a delete", () -> {
      cluster.fs().delete(new Path("/a"), false);
      cluster.awaitNoPages(0, block);
      cluster.settleChanges();
    });
    assertTrue("in memory: " + ofMemory.size(), ofMemory.size() <= 37);
    assertTrue("on the SSD: " + ofSsd.size(), ofSsd.size() <= 45);
    assertTrue("miss: " + miss.size(), miss.size() <= 55);
    assertTrue("delete: " + delete.size(), delete.size() <= 20);
  }
}
