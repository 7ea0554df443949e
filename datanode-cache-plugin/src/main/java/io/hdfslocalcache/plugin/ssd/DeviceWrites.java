/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Bytes written to the device of a file system by anybody, as counted by Linux since boot
 * (Documentation/block/stat.rst of the kernel). Reading it does not touch the device.
 */
final class DeviceWrites implements LongSupplier {

  private static final Path DEVICES = Path.of("/sys/dev/block");
  /** The kernel's unit, whatever the device's sector size. */
  private static final int SECTOR_BYTES = 512;
  private static final int SECTORS_WRITTEN = 6;

  private final Path stat;

  private DeviceWrites(Path stat) {
    this.stat = stat;
  }

  /**
   * Finds the device; for a partition, its whole device. May wait for the SSD.
   *
   * @param path in the file system
   */
  static LongSupplier of(Path path) {
    try {
      long id = (Long) Files.getAttribute(path, "unix:dev");
      // As encoded by makedev(3).
      long major = id >>> 8 & 0xFFF | id >>> 32 & ~0xFFFL;
      long minor = id & 0xFF | id >>> 12 & ~0xFFL;
      Path device = DEVICES.resolve(major + ":" + minor).toRealPath();
      boolean isPartition = Files.exists(device.resolve("partition"));
      return new DeviceWrites((isPartition ? device.getParent() : device).resolve("stat"));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      // A file system without a device, or not Linux.
      return () -> SsdWear.UNKNOWN;
    }
  }

  /** @return bytes, or {@link SsdWear#UNKNOWN}. */
  @Override
  public long getAsLong() {
    try {
      String[] counters =
          new String(Files.readAllBytes(stat), StandardCharsets.US_ASCII).trim().split("\\s+");
      return Long.parseLong(counters[SECTORS_WRITTEN]) * SECTOR_BYTES;
    } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return SsdWear.UNKNOWN;
    }
  }
}
