/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.hdfslocalcache.harness.Run;

/** A tmpfs for the pages in memory, so small that it can be filled up, and that can be removed. */
public final class SmallTmpfs implements Closeable {

  private final Path directory;
  private final long bytes;

  private SmallTmpfs(Path directory, long bytes) {
    this.directory = directory;
    this.bytes = bytes;
  }

  /** Mounts an empty one. */
  public static SmallTmpfs create(long bytes) throws IOException {
    SmallTmpfs created = new SmallTmpfs(Files.createTempDirectory("memory"), bytes);
    created.mount();
    return created;
  }

  /** @return where it is mounted. */
  public Path directory() {
    return directory;
  }

  /** Mounts an empty one here. */
  void mount() throws IOException {
    Run.output("mount", "-t", "tmpfs", "-o", "mode=700,size=" + bytes, "tmpfs",
        directory.toString());
  }

  /** Unmounts it; open files stay. Its directory is then on the disk below. */
  void unmount() throws IOException {
    Run.output("umount", "-l", directory.toString());
  }

  /** Fills it up, as another program might. */
  void fill() {
    // The pages have a part of it: fills the rest.
    Run.tryTo("dd", "if=/dev/zero", "bs=4096", "count=" + bytes / 4096,
        "of=" + directory.resolve("of-somebody-else"));
  }

  /** Frees the space again. */
  void free() throws IOException {
    Files.deleteIfExists(directory.resolve("of-somebody-else"));
  }

  @Override
  public void close() throws IOException {
    Run.tryTo("umount", "-l", directory.toString());
    Files.deleteIfExists(directory);
  }
}
