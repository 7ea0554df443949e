/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.testing;

import static org.junit.Assume.assumeTrue;

import java.nio.file.Path;

import io.hdfslocalcache.harness.Run;

/** Commands that need root. Where they fail, the test is skipped. */
public final class RootCommand {

  private RootCommand() {
  }

  /** Mounts an empty file system in memory. */
  public static void mount(Path directory) {
    mount(directory, "rw");
  }

  /** Mounts one that has space, but takes no file, as after an error that the mount does not show. */
  public static void mountWithoutInodes(Path directory) {
    mountWithInodes(directory, 1);
  }

  /** Mounts one of a size such as 1m. */
  public static void mountOfSize(Path directory, String size) {
    mount(directory, "size=" + size);
  }

  /** Mounts one that has space for much more than so many files. */
  public static void mountWithInodes(Path directory, int inodes) {
    mount(directory, "nr_inodes=" + inodes);
  }

  private static void mount(Path directory, String options) {
    assumeTrue("mounting a file system needs root",
        Run.tryTo("mount", "-t", "tmpfs", "-o", options, "tmpfs", directory.toString()));
  }

  /** Bind-mounts a directory at another place. */
  public static void bind(Path directory, Path place) {
    assumeTrue("mounting a file system needs root",
        Run.tryTo("mount", "--bind", directory.toString(), place.toString()));
  }

  /** Unmounts a directory, even if files on it are open. */
  public static boolean unmount(Path directory) {
    return Run.tryTo("umount", "-l", directory.toString());
  }
}
