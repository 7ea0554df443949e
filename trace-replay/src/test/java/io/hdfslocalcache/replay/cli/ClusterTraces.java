/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.zip.GZIPOutputStream;

import io.hdfslocalcache.replay.stat.Zipf;

/** A directory with the traces of small DataNodes. */
final class ClusterTraces {

  /** The DataNode that does not fit: it reads every block once. */
  static final String ODD = "dn-odd.csv.gz";

  private static final int READS = 7000;
  private static final int BLOCKS = 300;
  private static final double EXPONENT = 0.9;
  private static final long HOUR = 3_600_000;
  private static final long START = 1_767_225_600_000L;

  private ClusterTraces() {
  }

  /** Makes the traces of so many similar DataNodes and of an odd one. @return the directory */
  static Path make(Path directory, int similar) throws IOException {
    Files.createDirectories(directory);
    Zipf blocks = new Zipf(BLOCKS, EXPONENT);
    for (int i = 0; i < similar; i++) {
      SplittableRandom random = new SplittableRandom(i);
      write(directory.resolve(String.format("dn%03d.csv.gz", i)), read -> blocks.draw(random));
    }
    write(directory.resolve(ODD), read -> read);
    return directory;
  }

  /** @param blocks the block of each read */
  private static void write(Path file, IntUnaryOperator blocks) throws IOException {
    try (Writer out =
             new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(file)))) {
      out.write("time_ms,block_id,offset,length,reader\n");
      for (int read = 0; read < READS; read++) {
        out.write(START + read * HOUR / READS + "," + blocks.applyAsInt(read)
            + ",0,100000,10.0.0.1\n");
      }
    }
  }
}
