/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

import com.sun.nio.file.ExtendedOpenOption;
import io.hdfslocalcache.plugin.page.PageLayout;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens files with direct I/O, which bypasses the OS page cache, where supported. */
final class DirectIo {

  private static final Logger LOG = LoggerFactory.getLogger(DirectIo.class);

  private DirectIo() {
  }

  /**
   * Tests whether direct I/O is supported.
   *
   * @param directory for a test file
   * @throws IOException if no file can be created, written or read in any way
   */
  static boolean isPossible(Path directory) throws IOException {
    Path file = directory.resolve("direct-io");
    try {
      Files.deleteIfExists(file);
      tryOut(file, true);
      return true;
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(file);
      tryOut(file, false);
      LOG.info("Local cache: O_DIRECT is not supported on {}; using buffered I/O (pages may be "
          + "cached twice in memory): {}", directory, e.toString());
      return false;
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static void tryOut(Path file, boolean direct) throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(2 * PageLayout.ALIGNMENT)
        .alignedSlice(PageLayout.ALIGNMENT).limit(PageLayout.ALIGNMENT);
    try (FileChannel out = create(file, direct)) {
      out.write(block, PageLayout.ALIGNMENT);
    }
    try (FileChannel in = open(file, direct)) {
      if (in.read(block.clear().limit(PageLayout.ALIGNMENT), PageLayout.ALIGNMENT)
          != PageLayout.ALIGNMENT) {
        throw new IOException("bytes written to " + file + " are missing");
      }
    }
  }

  /** Creates a file that only this user can open. */
  static FileChannel create(Path file, boolean direct) throws IOException {
    return ofDisk(() -> PrivateFiles.create(file,
        options(direct, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)));
  }

  /** Opens an existing file for writing. */
  static FileChannel openToWrite(Path file, boolean direct) throws IOException {
    return ofDisk(() -> FileChannel.open(file, options(direct, StandardOpenOption.WRITE)));
  }

  /** Opens a file for reading. */
  static FileChannel open(Path file, boolean direct) throws IOException {
    return ofDisk(() -> FileChannel.open(file, options(direct, StandardOpenOption.READ)));
  }

  /** The JDK asks the file system for its block size, and hides a disk error while doing so. */
  private static FileChannel ofDisk(CallableRaisingIOE<FileChannel> opening) throws IOException {
    try {
      return opening.apply();
    } catch (UnsupportedOperationException e) {
      if (e.getCause() instanceof IOException cause) {
        throw new IOException(cause.getMessage(), cause);
      }
      throw e;
    }
  }

  private static Set<OpenOption> options(boolean direct, OpenOption... others) {
    Set<OpenOption> options = new HashSet<>(Set.of(others));
    if (direct) {
      options.add(ExtendedOpenOption.DIRECT);
    }
    return options;
  }
}
