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

  private final TraceSettings settings;
  private final String datanodeUuid;
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
   * @throws IOException if the directory cannot be made or read
   */
  TraceFiles(TraceSettings settings, String datanodeUuid) throws IOException {
    this.settings = settings;
    this.datanodeUuid = datanodeUuid;
    PrivateFiles.createDirectories(settings.directory());
    try (Stream<Path> all = Files.list(settings.directory())) {
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
    if (channel != null && bytes + segment.remaining() > settings.fileBytes()) {
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

  private void open() throws IOException {
    String name = String.format(Locale.ROOT, "%s-%s-%04d%s",
        datanodeUuid, TIME.format(Instant.now()), number++, SUFFIX);
    file = settings.directory().resolve(name);
    channel = PrivateFiles.create(file);
    bytes = channel.write(
        ByteBuffer.wrap(TraceFormat.firstLine(settings.sample(), settings.anonymous())));
  }

  private void deleteOldest(int more) throws IOException {
    while (!finished.isEmpty() && finishedBytes + bytes + more > settings.maxBytes()) {
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
