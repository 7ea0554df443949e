/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.trace;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.config.TraceConfig;
import io.hdfslocalcache.plugin.ssd.file.PrivateFiles;

/**
 * The files of one DataNode's trace, the oldest of which give way to the next. They say who reads
 * what: nobody but the DataNode's user can open them. Used by one thread.
 */
final class TraceFiles implements Closeable {

  private static final String SUFFIX = ".trace";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssSSS", Locale.ROOT).withZone(ZoneOffset.UTC);

  private record Written(Path file, long bytes) {
  }

  private static final int FILES = 16;
  private static final long LARGEST = 64L << 20;

  private final TraceConfig config;
  private final String datanodeUuid;
  private final byte[] firstLine;
  private final Deque<Written> finished = new ArrayDeque<>();
  private long finishedBytes;
  private int number;
  private Path file;
  private FileChannel channel;
  private long bytes;

  /**
   * Finds the files that are there already.
   *
   * @param datanodeUuid begins the names of the files: only these are counted and deleted
   * @param firstLine begins each file
   * @throws IOException if the directory cannot be made or read
   */
  TraceFiles(TraceConfig config, String datanodeUuid, byte[] firstLine) throws IOException {
    this.config = config;
    this.datanodeUuid = datanodeUuid;
    this.firstLine = firstLine;
    PrivateFiles.createDirectories(config.directory());
    try (Stream<Path> all = Files.list(config.directory())) {
      for (Path path : all.filter(this::isOurs).sorted().toList()) {
        finish(path, Files.size(path));
      }
    }
  }

  private boolean isOurs(Path path) {
    String name = path.getFileName().toString();
    return name.startsWith(datanodeUuid) && name.endsWith(SUFFIX);
  }

  private void finish(Path path, long size) {
    finished.add(new Written(path, size));
    finishedBytes += size;
  }

  /** Appends a segment; begins a new file, and deletes old ones, where it is time to. */
  void write(ByteBuffer segment) throws IOException {
    if (channel != null && bytes + segment.remaining() > fileBytes()) {
      close();
    }
    if (channel == null) {
      open();
    }
    deleteOldest(segment.remaining());
    while (segment.hasRemaining()) {
      bytes += channel.write(segment);
    }
  }

  /** @return bytes after which a new file is begun. */
  private long fileBytes() {
    return Math.min(LARGEST, config.maxBytes() / FILES);
  }

  private void open() throws IOException {
    String name = String.format(Locale.ROOT, "%s-%s-%04d%s",
        datanodeUuid, TIME.format(Instant.now()), number++, SUFFIX);
    file = config.directory().resolve(name);
    channel = PrivateFiles.create(file);
    bytes = channel.write(ByteBuffer.wrap(firstLine));
  }

  private void deleteOldest(int more) throws IOException {
    while (!finished.isEmpty() && finishedBytes + bytes + more > config.maxBytes()) {
      Written oldest = finished.remove();
      finishedBytes -= oldest.bytes();
      Files.deleteIfExists(oldest.file());
    }
  }

  /** @return bytes of all files. */
  long totalBytes() {
    return finishedBytes + bytes;
  }

  /** Ends the file that is written; {@link #write} begins another. */
  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
      channel = null;
      finish(file, bytes);
      bytes = 0;
    }
  }
}
