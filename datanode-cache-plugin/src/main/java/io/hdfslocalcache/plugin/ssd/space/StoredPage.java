/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.space;

import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;

/**
 * The name of a page that is, or is to be, in Alluxio's index. Alluxio hands on nothing but a name when
 * a page comes and when it leaves: what else is to be known of it is here. There are millions: it is
 * kept small.
 */
public final class StoredPage extends PageId {

  private final PageOwner owner;
  private final byte parts;
  private volatile boolean isInvalidated;
  private volatile boolean isUnread;
  private volatile boolean isFileDeleted;

  /**
   * A page that is to be added.
   *
   * @param owner on whose account at first
   * @param parts those that it has at first, a bit for each
   */
  public StoredPage(String fileId, long page, PageOwner owner, int parts) {
    super(fileId, page);
    this.owner = owner;
    this.parts = (byte) parts;
  }

  /** @return on whose account it is added. */
  public PageOwner owner() {
    return owner;
  }

  /** @return the parts that it is added with, a bit for each. */
  public int parts() {
    return Byte.toUnsignedInt(parts);
  }

  /** It is removed because its block has changed, which is no eviction. */
  public void invalidate() {
    isInvalidated = true;
  }

  /** @return whether it was removed because its block has changed. */
  public boolean isInvalidated() {
    return isInvalidated;
  }

  /** It leaves, and was not read since it was filled. */
  void leavesUnread() {
    isUnread = true;
  }

  /** @return whether it has left without being read since it was filled. */
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
