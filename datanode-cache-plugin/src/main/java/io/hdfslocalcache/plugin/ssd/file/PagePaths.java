/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.file;

import java.nio.file.Path;

import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;

/**
 * The places of page files in a DataNode's directory on an SSD, in Alluxio's layout:
 * {@code LOCAL/<page size>/<bucket>/<block>/<page>}.
 */
public final class PagePaths {

  /** Alluxio's name for this layout of files; pages of all sizes are below it. */
  public static final String LAYOUT = "LOCAL";
  /** Directory of pages before they are published. */
  public static final String TEMPORARY = "tmp";

  /** Prefix of directories that will be deleted. */
  public static final String TRASH = "trash-";

  private static final int BUCKETS = 1000;

  private final Path root;
  private final Path pages;
  private final Path temporary;

  /** @param root the directory of this DataNode on this SSD */
  public PagePaths(Path root, long pageSize) {
    this.root = root;
    this.pages = root.resolve(LAYOUT).resolve(String.valueOf(pageSize));
    this.temporary = root.resolve(TEMPORARY);
  }

  /** @return the directory of this DataNode on this SSD. */
  Path root() {
    return root;
  }

  /** @return the directory of the buckets. */
  public Path pages() {
    return pages;
  }

  /** @return the directory of temporary files. */
  public Path temporary() {
    return temporary;
  }

  /** @return the path of a page's file, whether it exists or not. */
  public Path file(PageId id) {
    return block(id.getFileId()).resolve(String.valueOf(id.getPageIndex()));
  }

  /** @return the directory of a block's pages. */
  public Path block(String fileId) {
    return pages.resolve(bucketOf(fileId) + "/" + fileId);
  }

  /** @return the bucket of a block's directory. */
  public static int bucketOf(String fileId) {
    return Math.floorMod(fileId.hashCode(), BUCKETS);
  }

  /** @return the page number of a page file's name, or -1 for other names. */
  public static int pageNumber(String name) {
    try {
      int number = Integer.parseInt(name);
      return String.valueOf(number).equals(name) ? number : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
