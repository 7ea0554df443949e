/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** What the kernel has read from disks for this process, where it tells (Linux). */
public final class KernelReads {

  private static final Path IO = Path.of("/proc/self/io");
  private static final String READ_BYTES = "read_bytes:";

  private KernelReads() {
  }

  /** @return bytes since the process began; empty where the kernel does not say. */
  public static OptionalLong bytes() {
    try (Stream<String> lines = Files.lines(IO)) {
      return lines.filter(line -> line.startsWith(READ_BYTES))
          .mapToLong(line -> Long.parseLong(line.substring(READ_BYTES.length()).strip()))
          .findFirst();
    } catch (IOException | RuntimeException e) {
      return OptionalLong.empty();
    }
  }
}
