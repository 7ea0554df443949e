/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.testing;

import static net.bytebuddy.matcher.ElementMatchers.isNative;
import static net.bytebuddy.matcher.ElementMatchers.namedOneOf;
import static net.bytebuddy.matcher.ElementMatchers.none;
import static net.bytebuddy.matcher.ElementMatchers.not;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.ResettableClassFileTransformer;
import net.bytebuddy.asm.Advice;

/**
 * Finds file operations of the local cache in a thread of the DataNode that holds a lock or a
 * monitor: every other read and write may wait for it.
 *
 * <p>All files that this JVM opens, looks at or deletes go through a few methods of the JDK, which
 * are told to ask here first.
 */
public final class WatchedLocks implements AutoCloseable {

  private static final String WATCHER = WatchedLocks.class.getName();
  private static final String PLUGIN = "io.hdfslocalcache.plugin.";
  private static final String DATANODE = "org.apache.hadoop.hdfs.server.datanode.";
  /** Its methods hold a lock of the dataset, on some lines the shared one, which cannot be seen. */
  private static final String MAP = DATANODE + "fsdataset.impl.ReplicaMap";
  private static final String LOADER = "java.lang.ClassLoader";
  /** Each worker of a pool holds one while it works. */
  private static final String WORKER = "java.util.concurrent.ThreadPoolExecutor$Worker";

  private final ThreadLocal<Boolean> isAsked = ThreadLocal.withInitial(() -> false);
  private final Queue<String> offences = new ConcurrentLinkedQueue<>();
  private final ResettableClassFileTransformer transformer;

  /** Begins to watch. */
  public WatchedLocks() {
    // Classes of the JDK see no class of ours.
    System.getProperties().put(WATCHER, (Runnable) this::fileIsUsed);
    transformer = new AgentBuilder.Default()
        .disableClassFormatChanges()
        .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
        .ignore(none())
        .type(namedOneOf("java.io.FileInputStream", "java.io.FileOutputStream",
            "java.io.RandomAccessFile", "sun.nio.fs.UnixNativeDispatcher"))
        .transform((builder, type, loader, module, domain) -> builder.visit(
            Advice.to(Ask.class).on(namedOneOf("open", "opendir", "stat", "lstat", "access",
                "unlink", "rmdir", "mkdir", "rename").and(not(isNative())))))
        .installOn(ByteBuddyAgent.install());
  }

  /** Copied into the methods of the JDK. */
  private static final class Ask {

    @Advice.OnMethodEnter
    static void enter() {
      Object watcher = System.getProperties().get("io.hdfslocalcache.testing.WatchedLocks");
      if (watcher instanceof Runnable) {
        ((Runnable) watcher).run();
      }
    }
  }

  private void fileIsUsed() {
    if (isAsked.get()) {
      return;
    }
    isAsked.set(true);
    try {
      StackTraceElement[] stack = new Throwable().getStackTrace();
      int plugin = last(stack, PLUGIN, stack.length);
      // Loading a class is not what a test looks for.
      if (plugin >= 0 && plugin < stack.length - 1 && last(stack, LOADER, plugin) < 0) {
        check(stack, plugin);
      }
    } finally {
      isAsked.set(false);
    }
  }

  /** @return the outermost frame of a package. */
  private static int last(StackTraceElement[] stack, String name, int from) {
    for (int i = from - 1; i >= 0; i--) {
      if (stack[i].getClassName().startsWith(name)) {
        return i;
      }
    }
    return -1;
  }

  /** @param plugin the frame that the DataNode called, if it did */
  private void check(StackTraceElement[] stack, int plugin) {
    int callers = stack.length - 1 - plugin;
    List<String> calling = Arrays.stream(stack, plugin + 1, stack.length)
        .map(StackTraceElement::getClassName).toList();
    if (calling.stream().noneMatch(name -> name.startsWith(DATANODE))) {
      return;
    }
    ThreadInfo thread = ManagementFactory.getThreadMXBean().getThreadInfo(
        new long[] {Thread.currentThread().getId()}, true, true)[0];
    int frames = thread.getStackTrace().length;
    for (MonitorInfo monitor : thread.getLockedMonitors()) {
      if (frames - monitor.getLockedStackDepth() <= callers) {
        add(monitor, stack);
      }
    }
    for (LockInfo lock : thread.getLockedSynchronizers()) {
      if (!lock.getClassName().equals(WORKER)) {
        add(lock, stack);
      }
    }
    if (calling.contains(MAP)) {
      add(MAP, stack);
    }
  }

  private void add(Object held, StackTraceElement[] stack) {
    offences.add(held + " was held:" + Arrays.stream(stack).map(frame -> "\n  " + frame)
        .reduce("", String::concat));
  }

  /** @return what was found, with the stack of each. */
  public List<String> offences() {
    return List.copyOf(offences);
  }

  @Override
  public void close() {
    System.getProperties().remove(WATCHER);
    transformer.reset(ByteBuddyAgent.getInstrumentation(),
        AgentBuilder.RedefinitionStrategy.RETRANSFORMATION);
  }
}
