/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.space;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.index.CachedPage;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;

/**
 * A page that is, or is to be, in Alluxio's index. Alluxio passes only a name when a page is added
 * or removed, so everything else about the page is here. Small, because there are millions.
 */
public final class StoredPage extends PageId implements CachedPage {

  /** Bytes that a page can take at most: more than any page of a block does. */
  public static final long MOST_BYTES = (long) Character.MAX_VALUE * PageLayout.ALIGNMENT;

  private volatile PageEvictor.Owner owner;
  private volatile byte parts;
  /** Space on the SSD, in units of 4 KiB. */
  private volatile char space;
  /** Whether it was read since it was filled; not known of a restored page. */
  private boolean isRead;
  /** Its place in the order of eviction; null before it is added and after it is removed. */
  private volatile PageEvictor.Place place;
  private final boolean wasMissedBefore;
  private volatile CachedBlock block;
  private volatile boolean isInvalidated;
  private volatile boolean isUnread;
  private volatile boolean isFileDeleted;

  /**
   * A page that is to be added.
   *
   * @param owner initial account
   * @param parts initial parts, a bit for each
   * @param wasMissedBefore whether it was missed before the miss that filled it
   */
  public StoredPage(
      CachedBlock block, int page, PageEvictor.Owner owner, int parts, boolean wasMissedBefore) {
    this(block.fileId(), page, owner, parts, wasMissedBefore);
    this.block = block;
  }

  /** A page found by its name after a restart, whose block is not known yet. */
  public StoredPage(
      String fileId, long page, PageEvictor.Owner owner, int parts, boolean wasMissedBefore) {
    super(fileId, page);
    this.owner = owner;
    this.parts = (byte) parts;
    this.wasMissedBefore = wasMissedBefore;
  }

  @Override
  public int number() {
    return Math.toIntExact(getPageIndex());
  }

  /** @return the block of the page, or null if not linked yet. */
  public CachedBlock block() {
    return block;
  }

  /** Links the page to its block. Call with the index's lock. */
  public void belongsTo(CachedBlock its) {
    block = its;
  }

  /** @return the key of its block; null if it belongs to none and will be deleted. */
  public BlockKey key() {
    CachedBlock its = block;
    return its == null ? ReplicaIdentity.blockOf(getFileId()) : its.snapshot().key();
  }

  /** @return its owner. */
  public PageEvictor.Owner owner() {
    return owner;
  }

  @Override
  public int parts() {
    return Byte.toUnsignedInt(parts);
  }

  /** @return the space that it takes, in bytes. */
  public long bytes() {
    return (long) space * PageLayout.ALIGNMENT;
  }

  /** Sets its space, in bytes. @throws IllegalArgumentException if no page can take that */
  void take(long bytes) {
    if (bytes < 0 || bytes > MOST_BYTES) {
      throw new IllegalArgumentException("a page of " + bytes + " bytes");
    }
    space = (char) (bytes / PageLayout.ALIGNMENT);
  }

  /** Gets more parts. @param bytes that they take */
  void grow(int more, long bytes) {
    take(bytes() + bytes);
    parts = (byte) (parts | more);
  }

  @Override
  public void use() {
    if (!isRead) {
      isRead = true;
    }
    PageEvictor.Place now = place;
    if (now != null) {
      now.use();
    }
  }

  void setRead() {
    isRead = true;
  }

  boolean wasRead() {
    return isRead;
  }

  /** @return whether it is on the SSD, as far as the order of eviction knows. */
  public boolean isThere() {
    return place != null;
  }

  /** @return its place in the order of eviction, or null. */
  PageEvictor.Place place() {
    return place;
  }

  /** Sets its place in the order of eviction. @param its null: none */
  void setPlace(PageEvictor.Place its) {
    place = its;
    if (its != null) {
      owner = its.owner();
    }
  }

  /** @return whether it had been missed before the miss that filled it. */
  public boolean wasMissedBefore() {
    return wasMissedBefore;
  }

  /** Marks it as removed because its block changed, which is no eviction. */
  public void invalidate() {
    isInvalidated = true;
  }

  /** @return whether it was removed because its block changed. */
  public boolean isInvalidated() {
    return isInvalidated;
  }

  /** Marks it as removed without having been read. */
  void leavesUnread() {
    isUnread = true;
  }

  /** @return whether it was removed without having been read. */
  public boolean hasLeftUnread() {
    return isUnread;
  }

  /** Its file is deleted. */
  public void fileDeleted() {
    isFileDeleted = true;
  }

  /** @return whether its file is deleted. */
  public boolean isFileDeleted() {
    return isFileDeleted;
  }
}
