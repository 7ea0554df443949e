/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.space;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.plugin.ssd.file.PageTree;

/**
 * Adds up what the directories may take, for several may be on one file system. It knows how large
 * the file system of each is, from when it was opened: nobody asks again. While the DataNode runs,
 * {@link SpaceKeeper} sees to what others do to the space.
 */
public final class SpaceCheck {

  private final LocalCacheConfig config;
  private final Map<Path, Share> shares = new LinkedHashMap<>();

  /**
   * What a directory may take.
   *
   * @param disk the file system as it was when the directory was opened
   * @param promised bytes promised to pages
   * @param needed as much of it as must be free now: nothing if there are pages already
   */
  private record Share(Disk disk, long promised, long needed) {
  }

  public SpaceCheck(LocalCacheConfig config) {
    this.config = config;
  }

  /**
   * What a directory is on.
   *
   * @param store the file system; null: none
   * @param total its size in bytes
   * @param usable bytes that could be written to it now
   * @param hasPages whether there are pages in the directory already
   */
  public record Disk(FileStore store, long total, long usable, boolean hasPages) {

    /** In a dry run: nothing is written, so there is room for everything. */
    public static final Disk ANY = new Disk(null, Long.MAX_VALUE / 2, Long.MAX_VALUE / 2, true);

    /** Looks. @param existing the directory, or if it is missing the one where it would be */
    public static Disk of(Path directory, Path existing) throws IOException {
      FileStore store = Files.getFileStore(existing);
      return new Disk(store, store.getTotalSpace(), store.getUsableSpace(),
          existing.equals(directory) && PageTree.hasPages(directory));
    }

    /** @return the same of which it does not matter what is free. */
    private Disk ofAnySpace() {
      return new Disk(store, total, usable, true);
    }
  }

  /**
   * Adds a directory, or changes what is known of it.
   *
   * @throws BadConfigurationException if there is no space for it; then nothing is changed
   */
  public synchronized void add(Path directory, Disk disk) throws BadConfigurationException {
    shares.putAll(sharesWith(directory, disk));
  }

  /** The same, but nothing is changed. */
  public synchronized void check(Path directory, Disk disk) throws BadConfigurationException {
    sharesWith(directory, disk);
  }

  private Map<Path, Share> sharesWith(Path directory, Disk disk) throws BadConfigurationException {
    long capacity = config.capacity().on(disk.total());
    long least = LocalCacheConfig.minCapacity(config.pageSize());
    if (capacity < least) {
      throw new BadConfigurationException(LocalCacheKeys.DIRECTORIES, directory.toString(),
          "must be on a larger disk: " + LocalCacheKeys.CAPACITY + " = " + config.capacity()
          + " is " + Sizes.text(capacity, least) + " of it, which is less than "
          + Sizes.text(least, capacity));
    }
    Map<Path, Share> all = new LinkedHashMap<>(shares);
    // With pages of before the restart nobody knows, before millions of files have been looked at,
    // how much of the space is taken by the pages themselves.
    all.put(directory, new Share(disk, capacity, disk.hasPages() ? 0 : capacity));
    if (!disk.hasPages()) {
      require(directory, sum(all, disk.store(), Share::needed), disk.usable(),
          " are free");
    }
    require(directory, sum(all, disk.store(), Share::promised), disk.total(),
        " are there");
    return all;
  }

  /**
   * Looks whether directories may take another capacity. Asks no file system, and what is free does
   * not matter: SpaceKeeper lets pages take no more than there is.
   *
   * @param changed with that capacity
   * @param directories those that have been added and shall go on
   * @return what is promised to them then
   * @throws BadConfigurationException if one is too small
   */
  public synchronized SpaceCheck with(LocalCacheConfig changed, Collection<Path> directories)
      throws BadConfigurationException {
    SpaceCheck other = new SpaceCheck(changed);
    for (Path directory : directories) {
      other.add(directory, shares.get(directory).disk().ofAnySpace());
    }
    return other;
  }

  /** @return bytes that are promised to a directory that has been added. */
  public synchronized long promisedTo(Path directory) {
    return shares.get(directory).promised();
  }

  /** Promises a directory nothing any more. */
  public synchronized void remove(Path directory) {
    shares.remove(directory);
  }

  private static long sum(Map<Path, Share> shares, FileStore store, ToLongFunction<Share> bytes) {
    return shares.values().stream().filter(share -> Objects.equals(share.disk().store(), store))
        .mapToLong(bytes).sum();
  }

  private void require(Path directory, long bytes, long available, String what)
      throws BadConfigurationException {
    long needed = bytes + config.reservedBytes();
    if (needed > available) {
      throw new BadConfigurationException(LocalCacheKeys.CAPACITY, config.capacity().toString(),
          "must fit on the disk of " + directory + ": with " + LocalCacheKeys.RESERVED + " = "
          + Sizes.text(config.reservedBytes()) + ", its directories need "
          + Sizes.text(needed, available) + ", but only "
          + Sizes.text(available, needed) + what);
    }
  }
}
