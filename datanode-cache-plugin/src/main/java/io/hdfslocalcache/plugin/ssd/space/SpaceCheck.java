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
 * Adds up the capacities of directories, because several may be on one file system. The size of
 * each file system is known from when the directory was opened, and not read again. While the
 * DataNode runs, {@link SpaceKeeper} adapts to space that other files take.
 */
public final class SpaceCheck {

  private LocalCacheConfig config;
  private final Map<Path, Share> shares = new LinkedHashMap<>();

  /**
   * The share of a directory.
   *
   * @param disk the file system as it was when the directory was opened
   * @param promised bytes reserved for pages
   * @param needed free bytes needed now: none if the directory has pages
   */
  private record Share(Disk disk, long promised, long needed) {

    /**
     * After a restart, the space that existing pages take is not known until millions of files were
     * read.
     */
    static Share of(Disk disk, long promised) {
      return new Share(disk, promised, disk.hasPages() ? 0 : promised);
    }
  }

  public SpaceCheck(LocalCacheConfig config) {
    this.config = config;
  }

  /**
   * The disk of a directory.
   *
   * @param store the file system; null: none
   * @param total its size in bytes
   * @param usable bytes that can be written to it now
   * @param hasPages whether the directory has pages already
   */
  public record Disk(FileStore store, long total, long usable, boolean hasPages) {

    /** For a dry run, which writes nothing, so that everything fits. */
    public static final Disk ANY = new Disk(null, Long.MAX_VALUE / 2, Long.MAX_VALUE / 2, true);

    /** Looks. @param existing the directory, or if it is missing the one where it would be */
    public static Disk of(Path directory, Path existing) throws IOException {
      FileStore store = Files.getFileStore(existing);
      return new Disk(store, store.getTotalSpace(), store.getUsableSpace(),
          existing.equals(directory) && PageTree.hasPages(directory));
    }

    /** @return the same without regard to free space. */
    private Disk ofAnySpace() {
      return new Disk(store, total, usable, true);
    }
  }

  /**
   * Adds a directory, or updates its disk.
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
    all.put(directory, Share.of(disk, capacity));
    if (!disk.hasPages()) {
      require(directory, sum(all, disk.store(), Share::needed), disk.usable(),
          " are free");
    }
    require(directory, sum(all, disk.store(), Share::promised), disk.total(),
        " exist");
    return all;
  }

  /**
   * Gives all directories another capacity. Reads no file system and ignores free space:
   * SpaceKeeper limits pages to the existing space.
   *
   * @param changed the configuration with that capacity
   * @param directories those of the added ones that are checked
   * @throws BadConfigurationException if one is too small; then nothing is changed
   */
  public synchronized void change(LocalCacheConfig changed, Collection<Path> directories)
      throws BadConfigurationException {
    SpaceCheck other = new SpaceCheck(changed);
    for (Path directory : directories) {
      other.add(directory, share(directory).disk().ofAnySpace());
    }
    config = changed;
    shares.replaceAll((directory, share) -> Share.of(
        share.disk().ofAnySpace(), changed.capacity().on(share.disk().total())));
  }

  /** @return bytes reserved for a directory; 0 if it was not added. */
  public synchronized long promisedTo(Path directory) {
    Share share = shares.get(directory);
    return share == null ? 0 : share.promised();
  }

  private Share share(Path directory) {
    Share share = shares.get(directory);
    if (share == null) {
      throw new IllegalStateException("no space is reserved for " + directory);
    }
    return share;
  }

  /** Releases the space of all other directories. */
  public synchronized void retain(Collection<Path> directories) {
    shares.keySet().retainAll(directories);
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
