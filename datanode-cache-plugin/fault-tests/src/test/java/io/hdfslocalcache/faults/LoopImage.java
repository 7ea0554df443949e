/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.harness.Run;

/** A file system in a file, mounted. */
public final class LoopImage implements Closeable {

  /** File systems of the kernel. */
  public enum Type {
    /** Remounted read-only when something is wrong with it. */
    EXT4("loop,errors=remount-ro", 96L << 20, "mkfs.ext4", "-q", "-F", "-b", "4096", "-m", "0", "-E",
        "lazy_itable_init=0"),
    /** Its smallest size is 300 MB. */
    XFS("loop", 320L << 20, "mkfs.xfs", "-q", "-f");

    private final String options;
    private final long bytes;
    private final List<String> format;

    Type(String options, long bytes, String... format) {
      this.options = options;
      this.bytes = bytes;
      this.format = List.of(format);
    }

    /** @return the program that makes one. */
    String formatter() {
      return format.get(0);
    }
  }

  private final Type type;
  private final Path image;
  private final Path mountPoint;

  private LoopImage(Type type, Path image, Path mountPoint) {
    this.type = type;
    this.image = image;
    this.mountPoint = mountPoint;
  }

  /**
   * Makes and mounts one.
   *
   * @param directory where its image lies
   */
  public static LoopImage create(Type type, Path directory) throws IOException {
    Path image = directory.resolve("image");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(type.bytes);
    }
    LoopImage created = new LoopImage(type, image, Files.createTempDirectory("loop"));
    created.format();
    created.mount();
    return created;
  }

  private void format() throws IOException {
    List<String> command = new ArrayList<>(type.format);
    command.add(image.toString());
    Run.output(command.toArray(String[]::new));
  }

  private void mount() throws IOException {
    Run.output("mount", "-o", type.options, image.toString(), mountPoint.toString());
  }

  /** @return where it is mounted. */
  public Path mountPoint() {
    return mountPoint;
  }

  /** Mounts it with other options, while it is in use. */
  public void remount(String options) throws IOException {
    Run.output("mount", "-o", "remount," + options, mountPoint.toString());
  }

  /** Makes the kernel find an ext4 damaged and remount it read-only; see {@link #mountAgain}. */
  public void failReadOnly() throws IOException {
    String device = Path.of(device()).getFileName().toString();
    Files.writeString(Path.of("/sys/fs/ext4", device, "trigger_fs_error"), "fault test");
  }

  private String device() throws IOException {
    return Run.output("findmnt", "-n", "-o", "SOURCE", "-M", mountPoint.toString());
  }

  /** Unmounts an ext4, repairs it and mounts it again, as an operator would. */
  public void mountAgain() throws IOException {
    Run.output("umount", mountPoint.toString());
    // Exit code 1 says that errors were corrected.
    Run.tryTo("fsck.ext4", "-p", image.toString());
    mount();
  }

  @Override
  public void close() throws IOException {
    Run.tryTo("umount", "-l", mountPoint.toString());
    Files.deleteIfExists(mountPoint);
    Files.deleteIfExists(image);
  }
}
