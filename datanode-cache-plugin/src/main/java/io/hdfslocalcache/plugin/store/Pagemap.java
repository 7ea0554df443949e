/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process's page table, by {@code /proc/self/pagemap}: which pages of its mappings are mapped
 * in. The kernel takes out of it whatever leaves the OS page cache, and puts in what the process
 * touches, and some of its neighbours. So a page that nobody has touched since it was seen here has
 * been in memory all the time.
 */
final class Pagemap {

  private static final Logger LOG = LoggerFactory.getLogger(Pagemap.class);
  private static final Path FILE = Path.of("/proc/self/pagemap");
  private static final int ENTRY = Long.BYTES;
  /** Null if there is none, or it cannot be used. */
  private static volatile FileChannel channel = open();

  private Pagemap() {
  }

  private static FileChannel open() {
    try {
      if (Mappings.haveAddress()) {
        return FileChannel.open(FILE);
      }
      LOG.info("Local cache: this JVM does not tell where mappings are; all reads are verified");
    } catch (IOException e) {
      LOG.info("Local cache: {} cannot be read, so all reads are verified: {}", FILE, e.toString());
    }
    return null;
  }

  /** @return whether the kernel tells, and the JVM tells where a mapping is. */
  static boolean isAvailable() {
    return channel != null;
  }

  /**
   * Tells whether all pages of memory that hold these bytes of a mapping are mapped in.
   *
   * @return false, too, if that cannot be known
   */
  static boolean isMappedIn(MappedByteBuffer mapping, int from, int to) {
    ByteBuffer entries = entries(mapping, from, to);
    if (entries == null) {
      return false;
    }
    for (int i = 0; i < entries.limit(); i += ENTRY) {
      if (!isPresent(entries, i)) {
        return false;
      }
    }
    return true;
  }

  /** @return the first bytes of those pages of memory of a mapping that are not mapped in. */
  static ByteBuffer[] absent(MappedByteBuffer mapping) {
    ByteBuffer entries = entries(mapping, 0, mapping.capacity());
    if (entries == null) {
      return new ByteBuffer[0];
    }
    ByteBuffer[] bytes = new ByteBuffer[entries.limit() / ENTRY];
    int n = 0;
    for (int i = 0; i < entries.limit(); i += ENTRY) {
      if (!isPresent(entries, i)) {
        bytes[n++] = mapping.slice(i / ENTRY * Mappings.pageSize(), 1);
      }
    }
    return Arrays.copyOf(bytes, n);
  }

  /** Bit 63 of an entry: the page is in memory, and mapped in. */
  private static boolean isPresent(ByteBuffer entries, int index) {
    return entries.getLong(index) < 0;
  }

  private static ByteBuffer entries(MappedByteBuffer mapping, int from, int to) {
    int page = Mappings.pageSize();
    int first = from / page;
    int count = (to + page - 1) / page - first;
    ByteBuffer entries = ByteBuffer.allocate(count * ENTRY).order(ByteOrder.nativeOrder());
    long position = (Mappings.address(mapping) / page + first) * ENTRY;
    try {
      FileChannel file = channel;
      while (entries.hasRemaining()) {
        if (file.read(entries, position + entries.position()) < 0) {
          return null;
        }
      }
      return entries;
    } catch (ClosedChannelException e) {
      reopen();
      return null;
    } catch (IOException e) {
      LOG.debug("Local cache: {}", FILE, e);
      return null;
    }
  }

  /** A thread that is interrupted while it reads a channel closes it, for all. */
  private static synchronized void reopen() {
    try {
      if (!channel.isOpen()) {
        channel = FileChannel.open(FILE);
      }
    } catch (IOException e) {
      LOG.debug("Local cache: {}", FILE, e);
    }
  }
}
