/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageTrailer;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;

/**
 * The replica that a block's pages were copied from, and their layout, according to the trailer of
 * one of the pages.
 */
public record PageOrigin(ReplicaSnapshot snapshot, PageLayout layout) {

  /**
   * Reads it from a page's file. Does not follow links.
   *
   * @param page the page that the file is named after
   * @param pageSize bytes of block data in a page
   * @return null if the file has no trailer of this page
   * @throws java.nio.file.NoSuchFileException if the file is missing
   * @throws IOException if the SSD fails
   */
  public static PageOrigin read(Path path, PageId page, int pageSize) throws IOException {
    try (FileChannel file = FileChannel.open(
        path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      // The tails are at the end. Which of them are there, and how long each is, is not known yet.
      long end = file.size() / PageLayout.ALIGNMENT * PageLayout.ALIGNMENT;
      for (; end > 0; end -= PageLayout.ALIGNMENT) {
        ByteBuffer trailer = ByteBuffer.allocate(PageTrailer.LENGTH);
        long position = end - PageTrailer.LENGTH;
        while (trailer.hasRemaining()
            && file.read(trailer, position + trailer.position()) > 0) {
          // Read further.
        }
        PageTrailer.Origin read = PageTrailer.read(trailer.flip());
        if (read != null) {
          return of(page, pageSize, read, position, trailer.rewind());
        }
      }
      return null;
    }
  }

  /** @return the origin in the trailer, or null if it is not of this page. */
  private static PageOrigin of(PageId id, int pageSize, PageTrailer.Origin read, long position,
      ByteBuffer trailer) {
    if (!PageLayout.supports(pageSize, read.checksum())) {
      return null;
    }
    BlockKey key = ReplicaIdentity.blockOf(id.getFileId());
    ReplicaSnapshot snapshot = new ReplicaSnapshot(new BlockKey(key.blockPoolId(), read.blockId()),
        read.generationStamp(), read.blockLength());
    PageLayout layout = new PageLayout(pageSize, read.checksum(), snapshot.length());
    int page = (int) id.getPageIndex();
    ReplicaIdentity identity = ReplicaIdentity.inName(id.getFileId());
    boolean isThisPage = identity != null
        && identity.fileId(snapshot).equals(id.getFileId())
        && page < layout.pages()
        && PageTrailer.isOf(trailer, snapshot, id.getFileId(), layout, page, read.part())
        && position == layout.tailPosition(page, read.part() + 1) - PageTrailer.LENGTH;
    return isThisPage ? new PageOrigin(snapshot, layout) : null;
  }
}
