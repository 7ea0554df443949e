/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.io.File;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What of an open page file is in memory, by mincore(2) on a mapping of it that no Java code reads,
 * and whether it has been there ever since it was mapped in. No question waits for the SSD on a
 * file system that keeps what it knows of open files in memory, as those on local disks do.
 */
class PageResidency {

  /** Of a file on a file system that cannot tell, or could wait for somebody to tell. */
  static final PageResidency UNKNOWN = new PageResidency(null, null, null);

  private static final Logger LOG = LoggerFactory.getLogger(PageResidency.class);

  private final File path;
  private final MappedByteBuffer mapping;
  private final PageToucher toucher;

  private PageResidency(File path, MappedByteBuffer mapping, PageToucher toucher) {
    this.path = path;
    this.mapping = mapping;
    this.toucher = toucher;
  }

  static PageResidency of(Path path, FileChannel file, PageToucher toucher) {
    if (!Mappings.canEnd()) {
      return UNKNOWN;
    }
    try {
      return new PageResidency(
          path.toFile(), file.map(FileChannel.MapMode.READ_ONLY, 0, file.size()),
          toucher);
    } catch (IOException e) {
      // The process has all the mappings that the kernel allows: vm.max_map_count.
      LOG.debug("Local cache: {} cannot be mapped", path, e);
      return UNKNOWN;
    }
  }

  boolean isResident(int from, int to) {
    // The mapping is as long as the file was when it was opened.
    return mapping != null && to <= mapping.capacity() && mapping.slice(from, to - from).isLoaded();
  }

  /** @return whether the kernel tells what is mapped in. */
  boolean canBeMappedIn() {
    return mapping != null && Pagemap.isAvailable();
  }

  /**
   * Maps in all of the file, which has to be in memory.
   *
   * @return false if another thread is about to do so with this or another file of the SSD
   * @throws IOException if it cannot be
   */
  boolean mapIn() throws IOException {
    if (!toucher.touch(Pagemap.absent(mapping))) {
      return false;
    }
    if (!isAllMappedIn()) {
      throw new IOException("cannot be mapped in: " + path);
    }
    return true;
  }

  /** @return whether all of the file is in memory, and has been since it was mapped in. */
  boolean isAllMappedIn() {
    return mapping != null && isMappedIn(0, mapping.capacity());
  }

  /** @return whether these bytes are in memory, and have been since they were mapped in. */
  boolean isMappedIn(int from, int to) {
    return canBeMappedIn() && to <= mapping.capacity() && Pagemap.isMappedIn(mapping, from, to);
  }

  /** @return when the file was last written, in milliseconds since 1970; 0 if unknown. */
  long lastModified() {
    return path == null ? 0 : path.lastModified();
  }

  void close() {
    if (mapping != null) {
      Mappings.end(mapping);
    }
  }
}
