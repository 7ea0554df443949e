/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;

/** An SSD that can be made sick. */
public final class Ssd implements Closeable {

  /** Kinds of SSDs. */
  public enum Kind {
    /**
     * A FUSE file system: faults hit single calls of the file system, such as an unlink. The local
     * cache cannot ask it what is in memory.
     */
    FUSE("Calls of the file system", null),
    /** ext4 on a block device that has the faults: reads and writes of blocks fail, hang, lie. */
    EXT4("The block device below ext4", LoopImage.Type.EXT4),
    /** xfs on such a block device. Where mkfs.xfs is missing, its scenarios are left out. */
    XFS("The block device below xfs", LoopImage.Type.XFS);

    /** Kinds that work on any machine. */
    public static final List<Kind> USUAL = List.of(FUSE, EXT4);

    private final String title;
    private final LoopImage.Type type;

    Kind(String title, LoopImage.Type type) {
      this.title = title;
      this.type = type;
    }

    /** @return what the faults of this kind affect. */
    public String title() {
      return title;
    }

    /** @return a new SSD of this kind. */
    public Ssd open() throws IOException {
      return type == null ? new Ssd(FaultFs.cached(), null) : onDevice(FaultFs.direct(), type);
    }
  }

  private final FaultFs faults;
  private final LoopImage image;

  private Ssd(FaultFs faults, LoopImage image) throws IOException {
    this.faults = faults;
    this.image = image;
    if (image == null) {
      Files.createDirectory(directory());
    }
  }

  private static Ssd onDevice(FaultFs device, LoopImage.Type type) throws IOException {
    try {
      return new Ssd(device, LoopImage.create(type, device.mountPoint()));
    } catch (IOException e) {
      device.close();
      throw e;
    }
  }

  /** @return a directory on it for the local cache. */
  public Path directory() {
    return (image == null ? faults.mountPoint() : image.mountPoint()).resolve("local-cache");
  }

  /** @return what to send faults to. */
  public FaultFs faults() {
    return faults;
  }

  /** @return the file system on the block device, to be mounted in other ways. */
  public LoopImage image() {
    return Objects.requireNonNull(image, "not of this kind");
  }

  /**
   * Drops its files from the OS page cache, so that they are read from it again. May hang as long
   * as writes do.
   */
  public void dropCaches() throws IOException {
    FaultFs.dropCaches(directory());
  }

  /**
   * Checks, while it has no fault, whether a file can be written and all files be listed. If not,
   * the kernel found damage and shut down the file system, or a part of it: only an operator can
   * repair it.
   */
  public boolean isInService() {
    Path file = directory().resolveSibling("in-service");
    try {
      Files.write(file, new byte[1], StandardOpenOption.CREATE, StandardOpenOption.SYNC);
      Files.delete(file);
      Files.walkFileTree(directory().getParent(), new SimpleFileVisitor<>() {
        @Override
        public FileVisitResult visitFileFailed(Path path, IOException e) throws IOException {
          return passOver(e);
        }

        @Override
        public FileVisitResult postVisitDirectory(Path path, IOException e) throws IOException {
          return e == null ? FileVisitResult.CONTINUE : passOver(e);
        }
      });
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** The local cache may delete files during the listing. */
  private static FileVisitResult passOver(IOException e) throws IOException {
    if (e instanceof NoSuchFileException) {
      return FileVisitResult.CONTINUE;
    }
    throw e;
  }

  @Override
  public void close() throws IOException {
    if (image != null) {
      // Faults first: hanging operations would keep the file system busy.
      faults.clear();
      image.close();
    }
    faults.close();
  }
}
