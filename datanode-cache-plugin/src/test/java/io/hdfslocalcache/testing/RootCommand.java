/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.testing;

import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Commands that only root may give. Where they cannot be given, the test is skipped. */
public final class RootCommand {

  private RootCommand() {
  }

  /** Mounts an empty file system in memory. */
  public static void mount(Path directory) throws Exception {
    assumeTrue("mounting a file system needs root",
        run("mount", "-t", "tmpfs", "tmpfs", directory.toString()));
  }

  /** Has a directory seen at another place, too. */
  public static void bind(Path directory, Path place) throws Exception {
    assumeTrue("mounting a file system needs root",
        run("mount", "--bind", directory.toString(), place.toString()));
  }

  /** Unmounts what is mounted on a directory, though files on it are open. */
  public static boolean unmount(Path directory) throws Exception {
    return run("umount", "-l", directory.toString());
  }

  /** Lets nobody change a directory and all that is in it, or lets them again. */
  public static boolean setImmutable(Path directory, boolean immutable) throws Exception {
    return run("chattr", "-R", "-f", immutable ? "+i" : "-i", directory.toString());
  }

  private static boolean run(String... command) throws Exception {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
      return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
