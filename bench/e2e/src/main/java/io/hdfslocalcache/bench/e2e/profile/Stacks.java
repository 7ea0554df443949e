/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The samples of threads that serve clients. */
public final class Stacks {

  private static final String SERVING = "org/apache/hadoop/hdfs/server/datanode/DataXceiver.run";

  private static final String COMPILER = "CompileBroker::";

  private record Stack(List<String> frames, long samples) {
  }

  private final List<Stack> stacks = new ArrayList<>();
  private long all;

  private Stacks() {
  }

  /** Reads what the profiler wrote: frames with semicolons, outermost first, and a number. */
  public static Stacks read(Path collapsed) throws IOException {
    Stacks stacks = new Stacks();
    for (String line : Files.readAllLines(collapsed)) {
      int space = line.lastIndexOf(' ');
      stacks.add(Arrays.asList(line.substring(0, space).split(";")),
          Long.parseLong(line.substring(space + 1)));
    }
    return stacks;
  }

  private void add(List<String> frames, long samples) {
    if (frames.stream().anyMatch(frame -> frame.startsWith(COMPILER))) {
      return;
    }
    all += samples;
    if (frames.contains(SERVING)) {
      stacks.add(new Stack(frames, samples));
    }
  }

  /** @return samples of all threads but those of the JIT compiler. */
  public long all() {
    return all;
  }

  /** @return samples of the serving threads. */
  public long serving() {
    return stacks.stream().mapToLong(Stack::samples).sum();
  }

  /** @return samples in which a frame was somewhere on the stack, by Java method. */
  public Map<String, Long> inclusive() {
    Map<String, Long> samples = new TreeMap<>();
    for (Stack stack : stacks) {
      for (String frame : new HashSet<>(stack.frames())) {
        // Java's frames only: the kernel's are in the flame graph.
        if (frame.indexOf('/') > 0) {
          samples.merge(frame, stack.samples(), Long::sum);
        }
      }
    }
    return samples;
  }

  /** @return samples in which a frame was the innermost, by frame. */
  public Map<String, Long> self() {
    Map<String, Long> samples = new TreeMap<>();
    for (Stack stack : stacks) {
      samples.merge(stack.frames().get(stack.frames().size() - 1), stack.samples(), Long::sum);
    }
    return samples;
  }
}
