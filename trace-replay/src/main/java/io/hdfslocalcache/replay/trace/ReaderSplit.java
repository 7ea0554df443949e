/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

import org.apache.commons.io.FileUtils;

/** Takes a trace apart by reader, as a replay with one client for each reader needs it. */
public final class ReaderSplit {

  private static final String SUFFIX = ".csv.gz";
  private static final String OTHERS = "others" + SUFFIX;

  private ReaderSplit() {
  }

  /**
   * Writes a file for each of the readers with the most accesses, {@code ADDRESS.csv.gz}, and one
   * for all others, {@code others.csv.gz}.
   *
   * @param trace the trace
   * @param readers how many readers get a file of their own
   * @param directory where to; made here, and not left half full
   * @param progress see {@link Csv#write}
   * @return number of accesses by file
   * @throws TraceException if the trace does not tell who read
   */
  public static Map<Path, Long> write(Trace trace, int readers, Path directory,
      IntConsumer progress) throws IOException {
    if (!trace.hasReaders()) {
      throw new TraceException("the trace has no column reader, so it cannot be split by reader");
    }
    Path parent = directory.toAbsolutePath().getParent();
    Path temporary = Files.createTempDirectory(Files.createDirectories(parent), ".split");
    try {
      Map<String, Long> written = writeInto(trace, readers, temporary, progress);
      Files.move(temporary, directory);
      Map<Path, Long> files = new LinkedHashMap<>();
      written.forEach((name, n) -> files.put(directory.resolve(name), n));
      return files;
    } finally {
      // It is not there any more if all went well.
      FileUtils.deleteDirectory(temporary.toFile());
    }
  }

  private static Map<String, Long> writeInto(Trace trace, int readers, Path directory,
      IntConsumer progress) throws IOException {
    List<Integer> top = topReaders(trace, readers);
    Map<String, Long> written = new LinkedHashMap<>();
    for (int reader : top) {
      String name = fileName(trace.readers().get(reader), written.keySet());
      written.put(name, write(trace, n -> n == reader, directory.resolve(name), progress));
    }
    if (top.size() < trace.readers().size()) {
      Set<Integer> own = Set.copyOf(top);
      written.put(OTHERS,
          write(trace, n -> !own.contains(n), directory.resolve(OTHERS), progress));
    }
    return written;
  }

  private static long write(Trace trace, IntPredicate readers, Path file, IntConsumer progress)
      throws IOException {
    long[] written = new long[1];
    WholeFile.write(file, out -> written[0] = Csv.write(trace,
        trace.accesses().stream().filter(access -> readers.test(access.reader())), out, progress));
    return written[0];
  }

  /** An address may be one of IPv6, or anything else that stood in a CSV file. */
  private static String fileName(String reader, Set<String> taken) {
    String safe = reader.replaceAll("[^A-Za-z0-9._-]", "_");
    String base = safe.isEmpty() || safe.startsWith(".") ? "_" + safe : safe;
    String name = base + SUFFIX;
    for (int i = 2; taken.contains(name) || name.equals(OTHERS); i++) {
      name = base + "-" + i + SUFFIX;
    }
    return name;
  }

  private static List<Integer> topReaders(Trace trace, int readers) {
    long[] counts = new long[trace.readers().size()];
    trace.accesses().forEach(access -> counts[access.reader()]++);
    return IntStream.range(0, counts.length).boxed()
        .sorted(Comparator.comparingLong(reader -> -counts[reader])).limit(readers).toList();
  }
}
