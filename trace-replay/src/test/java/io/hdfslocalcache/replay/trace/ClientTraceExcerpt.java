/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;

import io.hdfslocalcache.replay.embedded.EmbeddedCluster;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.log4j.FileAppender;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;

/**
 * Makes a genuine excerpt of a DataNode's clienttrace: runs the embedded cluster, writes files and
 * reads ranges of them. See the README beside the excerpt. Run with time zone UTC.
 */
public final class ClientTraceExcerpt {

  private static final String LOGGER =
      "org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace";
  /** As in Hadoop's own log4j.properties. */
  private static final String LAYOUT = "%d{ISO8601} %p %c: %m%n";
  private static final int BLOCK = 4 << 20;
  /** Not a multiple of 512: the last chunk of each file is not full. */
  private static final int FILE = 2 * BLOCK + 100_001;
  private static final int FILES = 8;
  private static final int READS = 200;
  private static final int LONGEST = 300_000;
  private static final long SEED = 20;

  private final DistributedFileSystem fs;
  private final Random random = new Random(SEED);

  private ClientTraceExcerpt(DistributedFileSystem fs) {
    this.fs = fs;
  }

  /** Makes the excerpt. @param args the directory for the cluster, and the file to write */
  public static void main(String[] args) throws Exception {
    Path directory = Files.createDirectories(Path.of(args[0]));
    Logger trace = Logger.getLogger(LOGGER);
    trace.setLevel(Level.DEBUG);
    trace.setAdditivity(false);
    trace.addAppender(new FileAppender(new PatternLayout(LAYOUT), args[1], false));
    try (EmbeddedCluster cluster = EmbeddedCluster.start(new EmbeddedCluster.Settings(directory,
            Files.createDirectories(directory.resolve("ssd")), 64 << 20, BLOCK, Map.of(), 1));
         DistributedFileSystem fs = cluster.newClient()) {
      ClientTraceExcerpt excerpt = new ClientTraceExcerpt(fs);
      for (int i = 0; i < FILES; i++) {
        excerpt.write(i);
      }
      for (int i = 0; i < READS; i++) {
        excerpt.read(i);
      }
      Thread.sleep(1000);
    }
    System.exit(0);
  }

  private static org.apache.hadoop.fs.Path path(int file) {
    return new org.apache.hadoop.fs.Path("/warehouse/part-" + file);
  }

  private void write(int file) throws IOException {
    byte[] data = new byte[FILE];
    random.nextBytes(data);
    try (FSDataOutputStream out = fs.create(path(file))) {
      out.write(data);
    }
  }

  /** Most read a range; some read on from where they seek to, and close before the end. */
  private void read(int i) throws IOException {
    int file = Math.min(FILES - 1, (int) Math.abs(random.nextGaussian() * 2));
    int length = 1 + random.nextInt(i % 4 == 0 ? LONGEST : 10_000);
    int offset = i % 10 == 1 ? FILE - length : random.nextInt(FILE - length);
    byte[] data = new byte[length];
    try (FSDataInputStream in = fs.open(path(file))) {
      if (i % 5 == 2) {
        in.seek(offset);
        in.readFully(data);
      } else {
        in.readFully(offset, data);
      }
    }
  }
}
