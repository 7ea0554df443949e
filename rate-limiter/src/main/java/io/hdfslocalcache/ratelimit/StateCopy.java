/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The file on one SSD. Whatever touches the SSD is done by a thread of its own, one after the
 * other, for an SSD that hangs lets go of none. What waits for it may give up; then the SSD is left
 * alone until it has answered.
 */
final class StateCopy {

  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path file;
  /** What is done at present, and whether somebody gave up waiting for it. */
  private CompletableFuture<?> last = CompletableFuture.completedFuture(null);
  private boolean givenUp;

  /** Names the file, which is not touched yet. */
  StateCopy(Path file) {
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
