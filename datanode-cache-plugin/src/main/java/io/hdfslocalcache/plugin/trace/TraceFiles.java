/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.trace;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

import io.hdfslocalcache.plugin.config.TraceConfig;
import io.hdfslocalcache.plugin.ssd.file.PrivateFiles;
import io.hdfslocalcache.time.TimeAndThreads;

/**
 * The files of one DataNode's trace, gzipped CSV; the oldest files are deleted for new ones. They
 * show who reads what, so only the DataNode's user can open them. Used by one thread.
 */
final class TraceFiles implements Closeable {

  private static final String SUFFIX = ".csv.gz";
  /** Suffix of version 1.0. */
  private static final String OLD_SUFFIX = ".trace";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssSSS", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final int FILES = 16;
  private static final long LARGEST = 64L << 20;
  private static final int BUFFER = 1 << 13;
  /** Overhead of gzip on incompressible bytes, and of its header and trailer. */
  private static final int OVERHEAD = 256;

  private record Written(Path file, long bytes) {
  }

  /** Fast, and flushes so that written lines can be read at once. */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out, BUFFER, true);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }

  private final TraceConfig config;
  private final String datanodeUuid;
  private final Deque<Written> finished = new ArrayDeque<>();
  private long finishedBytes;
  private int number;
  private Path file;
  private FileChannel channel;
  private OutputStream out;

  /**
   * Finds the existing files.
   *
   * @param datanodeUuid prefix of the files' names: only these are counted and deleted
   * @throws IOException if the directory cannot be created or read
   */
  TraceFiles(TraceConfig config, String datanodeUuid) throws IOException {
    this.config = config;
    this.datanodeUuid = datanodeUuid;
    PrivateFiles.createDirectories(config.directory());
    try (Stream<Path> all = Files.list(config.directory())) {
      for (Path path : all.filter(this::isOurs).sorted().toList()) {
        finish(path, Files.size(path));
      }
    }
  }

  private boolean isOurs(Path path) {
    String name = path.getFileName().toString();
    return name.startsWith(datanodeUuid + "-") && (name.endsWith(SUFFIX) || name.endsWith(OLD_SUFFIX));
  }

  private void finish(Path path, long size) {
    finished.add(new Written(path, size));
    finishedBytes += size;
  }

  /** Appends and flushes lines; starts a new file and deletes old ones if necessary. */
  void write(CharSequence lines) throws IOException {
    byte[] bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
    deleteOldest(bytes.length + OVERHEAD);
    if (out == null) {
      open();
    }
    out.write(bytes);
    out.flush();
    if (channel.position() >= Math.min(LARGEST, config.maxBytes() / FILES)) {
      close();
    }
  }

  private void open() throws IOException {
    String name = String.format(Locale.ROOT, "%s-%s-%04d%s",
        datanodeUuid, TIME.format(Instant.ofEpochMilli(TimeAndThreads.get().currentTimeMillis())),
        number++, SUFFIX);
    file = config.directory().resolve(name);
    channel = PrivateFiles.create(file);
    out = new FastGzip(Channels.newOutputStream(channel));
    out.write(TracedRead.HEADER.getBytes(StandardCharsets.UTF_8));
  }

  private void deleteOldest(int more) throws IOException {
    while (!finished.isEmpty() && totalBytes() + more > config.maxBytes()) {
      Written oldest = finished.remove();
      finishedBytes -= oldest.bytes();
      Files.deleteIfExists(oldest.file());
    }
  }

  /** @return bytes of all files. */
  long totalBytes() throws IOException {
    return finishedBytes + (out == null ? 0 : channel.position());
  }

  /** Closes the current file; {@link #write} starts another. */
  @Override
  public void close() throws IOException {
    if (out != null) {
      OutputStream ended = out;
      out = null;
      // Also if the end cannot be written.
      try (FileChannel closing = channel) {
        ended.close();
      }
      finish(file, Files.size(file));
    }
  }
}
