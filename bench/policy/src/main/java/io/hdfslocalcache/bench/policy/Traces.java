/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.policy;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.BufferedInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes traces by name: generated hosts, and two formats of published traces by path. */
final class Traces {
  private static final int SWIM_BLOCK_PAGES = 128;
  private static final int DATANODES = 100;
  private static final int ORACLE_RECORD = 24;

  private Traces() {
  }

  /**
   * Makes a trace.
   *
   * @param name A_irm, A_churn, B_irm, B_churn, or the path of a file ending in .tsv (SWIM) or
   *     .oracleGeneral.bin (libCacheSim)
   * @param scale the fraction of a generated host
   */
  static Trace of(String name, int scale) throws IOException {
    if (name.endsWith(".tsv")) {
      return swim(Path.of(name));
    }
    if (name.endsWith(".bin")) {
      return oracleGeneral(Path.of(name));
    }
    return switch (name) {
      case "A_irm" -> Host.A.irm(scale, 1);
      case "A_churn" -> Host.A.churn(scale, 2);
      case "B_irm" -> Host.B.irm(scale, 3);
      case "B_churn" -> Host.B.churn(scale, 4);
      default -> throw new IllegalArgumentException(name + ": is no trace; known are A_irm, "
          + "A_churn, B_irm, B_churn, and files ending in .tsv or .bin");
    };
  }

  /** Every object is a block of one page; the capacity is a tenth of the objects. */
  private static Trace oracleGeneral(Path file) throws IOException {
    ByteBuffer records = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    Map<Long, Integer> numbers = new HashMap<>();
    int reads = records.capacity() / ORACLE_RECORD;
    for (int i = 0; i < reads; i++) {
      numbers.putIfAbsent(records.getLong(i * ORACLE_RECORD + 4), numbers.size());
    }
    Trace trace = new Trace(
        "cloudPhysicsIO", numbers.size(), 1, Math.max(1, numbers.size() / 10), reads);
    int first = records.getInt(0);
    for (int i = 0; i < reads; i++) {
      int seconds = records.getInt(i * ORACLE_RECORD) - first;
      trace.add(seconds * 1000, numbers.get(records.getLong(i * ORACLE_RECORD + 4)), 0,
          Trace.PAGE);
    }
    return trace;
  }

  /**
   * Every job reads its input path, cut into blocks of 128 MB, each as a whole; this DataNode has
   * one block in a hundred. The capacity is a tenth of the pages read.
   */
  private static Trace swim(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    Map<String, Integer> numbers = new HashMap<>();
    long[][] reads = new long[1 << 20][];
    int n = 0;
    for (String line : lines) {
      String[] fields = line.split("\t");
      long bytes = Long.parseLong(fields[3]);
      int at = (int) (Double.parseDouble(fields[1]) * 1000);
      long blockBytes = (long) SWIM_BLOCK_PAGES * Trace.PAGE;
      for (long block = 0; block * blockBytes < bytes; block++) {
        String id = fields[6] + "/" + block;
        if (Math.floorMod(id.hashCode() * 0x9E3779B1 >>> 7, DATANODES) == 0) {
          numbers.putIfAbsent(id, numbers.size());
          reads[n++] = new long[] {
              at, numbers.get(id), Math.min(blockBytes, bytes - block * blockBytes)};
        }
      }
    }
    java.util.BitSet pages = new java.util.BitSet();
    for (int i = 0; i < n; i++) {
      int from = (int) reads[i][1] * SWIM_BLOCK_PAGES;
      pages.set(from, from + (int) ((reads[i][2] + Trace.PAGE - 1) / Trace.PAGE));
    }
    java.util.Arrays.sort(reads, 0, n, java.util.Comparator.comparingLong(r -> r[0]));
    Trace trace = new Trace(
        "FB-2010", numbers.size(), SWIM_BLOCK_PAGES, pages.cardinality() / 10, n);
    for (int i = 0; i < n; i++) {
      trace.add((int) reads[i][0], (int) reads[i][1], 0, (int) reads[i][2]);
    }
    return trace;
  }
}
