/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.zip.CRC32;

/**
 * Keeps the same few numbers in a file on every SSD, so that an SSD that is replaced loses none.
 * Each file is written beside itself, forced to the SSD and renamed. Of files that differ, because
 * an SSD was away, the one saved last counts.
 *
 * <p>All SSDs are asked at the same time. One that does not answer is waited for once, with
 * patience, and then left out until it has answered: its file is older then, and does not count
 * beside those of the others.
 */
public final class StateFiles implements StateFile {
  private static final String SEQUENCE = "Sequence";
  private static final String CHECKSUM = "Checksum";

  private final List<Copy> copies = new CopyOnWriteArrayList<>();
  private final long patienceMillis;
  private long sequence;

  /**
   * Names the files; none is touched yet.
   *
   * @param files a file on each SSD; its directory must exist when something is saved
   * @param patienceMillis how long to wait for an SSD, in milliseconds
   */
  public StateFiles(List<Path> files, long patienceMillis) {
    files.forEach(this::add);
    this.patienceMillis = patienceMillis;
  }

  /** Keeps the numbers in one more file from now on, unless it is among the files. */
  public void add(Path file) {
    if (copies.stream().noneMatch(copy -> copy.file().equals(file))) {
      copies.add(new Copy(file));
    }
  }

  /** Keeps the numbers in a file no more. What is in it stays. */
  public void remove(Path file) {
    copies.removeIf(copy -> copy.file().equals(file));
  }

  /** @return whether there is no file to keep the numbers in. */
  public boolean isEmpty() {
    return copies.isEmpty();
  }

  @Override
  public Map<String, Long> load() throws IOException {
    Map<String, Long> newest = null;
    IOException failed = null;
    for (Answer<String> answer : ask(Copy::read)) {
      try {
        Map<String, Long> values = parse(answer.copy().file(), answer.get());
        if (newest == null || values.get(SEQUENCE) > newest.get(SEQUENCE)) {
          newest = values;
        }
      } catch (NoSuchFileException e) {
        // A new SSD, or the first start.
      } catch (IOException e) {
        failed = e;
      }
    }
    if (newest == null && failed != null) {
      throw failed;
    }
    startFrom(newest == null ? 0 : newest.remove(SEQUENCE));
    return newest == null ? Map.of() : newest;
  }

  private synchronized void startFrom(long saved) {
    sequence = saved;
  }

  @Override
  public void save(Map<String, Long> values) throws IOException {
    IOException failed = null;
    boolean saved = false;
    for (Answer<Void> answer : beginToSave(values)) {
      try {
        answer.get();
        saved = true;
      } catch (IOException e) {
        failed = e;
      }
    }
    if (!saved && failed != null) {
      throw failed;
    }
  }

  /** Two at a time reach every SSD in the order of their numbers. */
  private synchronized List<Answer<Void>> beginToSave(Map<String, Long> values) {
    sequence++;
    Map<String, Long> all = new TreeMap<>(values);
    all.put(SEQUENCE, sequence);
    String text = text(all);
    return ask(copy -> copy.write(text));
  }

  private <T> List<Answer<T>> ask(Function<Copy, CompletableFuture<T>> question) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    return copies.stream().map(copy -> new Answer<>(copy, question.apply(copy), until)).toList();
  }

  /** What an SSD does meanwhile, and until when it is waited for. */
  private record Answer<T>(Copy copy, CompletableFuture<T> future, long until) {

    T get() throws IOException {
      try {
        return future.get(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        copy.giveUp();
        throw new IOException(copy.file() + ": the SSD does not answer");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("while waiting for " + copy.file());
      } catch (ExecutionException e) {
        if (e.getCause() instanceof NoSuchFileException missing) {
          throw missing;
        }
        throw new IOException(copy.file() + ": " + e.getCause().getMessage(), e.getCause());
      }
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

  private static Map<String, Long> parse(Path file, String text) throws IOException {
    Map<String, Long> values = new LinkedHashMap<>();
    try {
      text.lines().forEach(line -> {
        int sign = line.indexOf('=');
        values.put(line.substring(0, sign), Long.parseLong(line.substring(sign + 1)));
      });
    } catch (RuntimeException e) {
      throw damaged(file, e);
    }
    Long checksum = values.remove(CHECKSUM);
    Map<String, Long> sorted = new TreeMap<>(values);
    if (!values.containsKey(SEQUENCE) || checksum == null
        || !text(sorted).endsWith(CHECKSUM + '=' + checksum + '\n')) {
      throw damaged(file, null);
    }
    return sorted;
  }

  private static IOException damaged(Path file, Exception cause) {
    return new IOException(file + " is damaged", cause);
  }

  /**
   * The file on one SSD. Whatever touches the SSD is done by a thread of its own, one after the
   * other, for an SSD that hangs lets go of none. What waits for it may give up; then the SSD is
   * left alone until it has answered.
   */
  private static final class Copy {

    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path file;
    /** What is done at present, and whether somebody gave up waiting for it. */
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);
    private boolean givenUp;

    /** Names the file, which is not touched yet. */
    Copy(Path file) {
      this.file = file;
    }

    /** Reads the file. Fails with an exception of {@link Files#readString}. */
    CompletableFuture<String> read() {
      return begin(() -> Files.readString(file, StandardCharsets.ISO_8859_1));
    }

    /** Replaces the file by another that says this, as a whole or not at all. */
    CompletableFuture<Void> write(String text) {
      return begin(() -> {
        replace(text);
        return null;
      });
    }

    /** Asks nothing more of the SSD until it has done what it was asked. */
    synchronized void giveUp() {
      givenUp = true;
    }

    /** @return the file. */
    Path file() {
      return file;
    }

    private synchronized <T> CompletableFuture<T> begin(Callable<T> access) {
      if (givenUp && !last.isDone()) {
        return CompletableFuture.failedFuture(new IOException(file + ": the SSD still hangs"));
      }
      givenUp = false;
      CompletableFuture<T> next = last.handle((done, error) -> null)
          .thenApplyAsync(nothing -> call(access), this::start);
      last = next;
      return next;
    }

    private static <T> T call(Callable<T> access) {
      try {
        return access.call();
      } catch (Exception e) {
        throw new CompletionException(e);
      }
    }

    private void start(Runnable access) {
      Thread thread = new Thread(access, "local-cache-state " + file.getParent());
      thread.setDaemon(true);
      thread.start();
    }

    private void replace(String text) throws IOException {
      Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
      try (FileChannel channel = FileChannel.open(temporary, Set.of(StandardOpenOption.CREATE,
          StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING), PRIVATE)) {
        // A file that an earlier version left has the mode of that time.
        Files.setPosixFilePermissions(temporary, PRIVATE.value());
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
}
