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

/** An SSD that can be made sick. */
public abstract class Ssd implements Closeable {

  /** Kinds of SSDs. */
  public enum Kind {
    /**
     * A FUSE file system: faults hit single calls of the file system, such as an unlink. The local
     * cache cannot ask it what is in memory.
     */
    FUSE("Calls of the file system") {
      @Override
      public Ssd open() throws IOException {
        return new FuseSsd();
      }
    },
    /** ext4 on a block device that has the faults: reads and writes of blocks fail, hang, lie. */
    EXT4("The block device below ext4") {
      @Override
      public Ssd open() throws IOException {
        return new DeviceSsd(LoopImage.Type.EXT4);
      }
    },
    /** xfs on such a block device. Where mkfs.xfs is missing, its scenarios are left out. */
    XFS("The block device below xfs") {
      @Override
      public Ssd open() throws IOException {
        return new DeviceSsd(LoopImage.Type.XFS);
      }
    };

    /** Those that any machine has. */
    public static final List<Kind> USUAL = List.of(FUSE, EXT4);

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    /** @return what the faults of this kind strike. */
    String title() {
      return title;
    }

    /** @return a new SSD of this kind. */
    public abstract Ssd open() throws IOException;
  }

  /** @return a directory on it for the local cache. */
  public abstract Path directory();

  /** @return what to send faults to. */
  public abstract FaultFs faults();

  /**
   * Drops its files from the OS page cache, so that they are read from it again. May hang as long
   * as writes do.
   */
  public void dropCaches() throws IOException {
    FaultFs.dropCaches(directory());
  }

  /** Mounts it with other options, while it is in use and well. */
  public void remount(String options) throws IOException {
    throw new UnsupportedOperationException("not of this kind");
  }

  /** Has the kernel remount it read-only, as it does when it finds the file system damaged. */
  public void remountReadOnly() throws IOException {
    throw new UnsupportedOperationException("not of this kind");
  }

  /** The way back from there. Nothing may use it meanwhile. */
  public void repair() throws IOException {
    throw new UnsupportedOperationException("not of this kind");
  }

  /**
   * Looks, while it has no fault, whether a file can be written and all files be listed. If not, the
   * kernel found the file system damaged and took it, or a part of it, out of service, from which
   * only an operator leads back.
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

  /** The local cache may delete what is being listed. */
  private static FileVisitResult passOver(IOException e) throws IOException {
    if (e instanceof NoSuchFileException) {
      return FileVisitResult.CONTINUE;
    }
    throw e;
  }

  /** Puts an empty one in its place. @throws IOException if somebody still uses it */
  public void replace() throws IOException {
    throw new UnsupportedOperationException("not of this kind");
  }

  private static final class FuseSsd extends Ssd {
    private final FaultFs fs = FaultFs.cached();

    FuseSsd() throws IOException {
      Files.createDirectory(directory());
    }

    @Override
    public Path directory() {
      return fs.mountPoint().resolve("local-cache");
    }

    @Override
    public FaultFs faults() {
      return fs;
    }

    @Override
    public void close() throws IOException {
      fs.close();
    }
  }

  private static final class DeviceSsd extends Ssd {
    private final FaultFs device = FaultFs.direct();
    private final LoopImage image;

    DeviceSsd(LoopImage.Type type) throws IOException {
      try {
        image = LoopImage.create(type, device.mountPoint());
      } catch (IOException e) {
        device.close();
        throw e;
      }
    }

    @Override
    public Path directory() {
      return image.mountPoint().resolve("local-cache");
    }

    @Override
    public FaultFs faults() {
      return device;
    }

    @Override
    public void remount(String options) throws IOException {
      image.remount(options);
    }

    @Override
    public void remountReadOnly() throws IOException {
      image.failReadOnly();
    }

    @Override
    public void repair() throws IOException {
      image.mountAgain();
    }

    @Override
    public void replace() throws IOException {
      image.replace();
    }

    @Override
    public void close() throws IOException {
      // First the faults: what hangs would keep the file system busy.
      device.clear();
      image.close();
      device.close();
    }
  }
}
