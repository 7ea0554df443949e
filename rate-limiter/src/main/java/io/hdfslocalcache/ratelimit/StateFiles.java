/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;

/**
 * Keeps the same few numbers in a file on every SSD, so that an SSD that is replaced loses none.
 * Each file is written beside itself, forced to the SSD and renamed. Of files that differ, because
 * an SSD was away, the one saved last counts.
 */
public final class StateFiles implements StateFile {
  private static final String SEQUENCE = "Sequence";
  private static final String CHECKSUM = "Checksum";

  private final List<Path> files;
  private long sequence;

  /**
   * Names the files; none is touched yet.
   *
   * @param files a file on each SSD; its directory must exist when something is saved
   */
  public StateFiles(List<Path> files) {
    this.files = List.copyOf(files);
  }

  @Override
  public synchronized Map<String, Long> load() throws IOException {
    Map<String, Long> newest = null;
    IOException damaged = null;
    for (Path file : files) {
      try {
        Map<String, Long> values = read(file);
        if (newest == null || values.get(SEQUENCE) > newest.get(SEQUENCE)) {
          newest = values;
        }
      } catch (NoSuchFileException e) {
        // A new SSD, or the first start.
      } catch (IOException e) {
        damaged = e;
      }
    }
    if (newest == null && damaged != null) {
      throw damaged;
    }
    sequence = newest == null ? 0 : newest.remove(SEQUENCE);
    return newest == null ? Map.of() : newest;
  }

  @Override
  public synchronized void save(Map<String, Long> values) throws IOException {
    sequence++;
    Map<String, Long> all = new TreeMap<>(values);
    all.put(SEQUENCE, sequence);
    IOException failed = null;
    boolean saved = false;
    for (Path file : files) {
      try {
        write(file, text(all));
        saved = true;
      } catch (IOException e) {
        failed = e;
      }
    }
    if (!saved && failed != null) {
      throw failed;
    }
  }

  private static String text(Map<String, Long> values) {
    StringBuilder text = new StringBuilder();
    values.forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
    return text + CHECKSUM + '=' + checksum(text.toString()) + '\n';
  }

  private static long checksum(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.US_ASCII));
    return crc.getValue();
  }

  private static Map<String, Long> read(Path file) throws IOException {
    Map<String, Long> values = new TreeMap<>();
    try {
      for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
        int sign = line.indexOf('=');
        values.put(line.substring(0, sign), Long.parseLong(line.substring(sign + 1)));
      }
    } catch (RuntimeException | java.nio.charset.CharacterCodingException e) {
      throw new IOException(file + " is damaged", e);
    }
    Long checksum = values.remove(CHECKSUM);
    if (!values.containsKey(SEQUENCE) || checksum == null
        || !text(values).endsWith(CHECKSUM + '=' + checksum + '\n')) {
      throw new IOException(file + " is damaged");
    }
    return values;
  }

  private static void write(Path file, String text) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.CREATE,
        StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }
}
