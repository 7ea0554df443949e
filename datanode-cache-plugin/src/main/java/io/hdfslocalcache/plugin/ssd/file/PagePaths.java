/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.file;

import java.nio.file.Path;

import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;

/**
 * Where page files are in a DataNode's directory on an SSD. It is Alluxio's layout:
 * {@code LOCAL/<page size>/<bucket>/<block>/<page>}.
 */
public final class PagePaths {

  /** Alluxio's name for this layout of files; pages of all sizes are below it. */
  public static final String LAYOUT = "LOCAL";
  /** Where pages are written before they are published. */
  public static final String TEMPORARY = "tmp";

  /** Beginning of the names of directories that are to be deleted. */
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

  /** @return where the buckets are. */
  public Path pages() {
    return pages;
  }

  /** @return where files are that are no pages yet. */
  public Path temporary() {
    return temporary;
  }

  /** @return where a page's file is, whether there is one or not. */
  public Path file(PageId id) {
    return block(id.getFileId()).resolve(String.valueOf(id.getPageIndex()));
  }

  /** @return where the pages of a block are. */
  public Path block(String fileId) {
    return pages.resolve(bucketOf(fileId) + "/" + fileId);
  }

  /** @return the bucket that a block's directory is in. */
  public static int bucketOf(String fileId) {
    return Math.floorMod(fileId.hashCode(), BUCKETS);
  }

  /** @return the number that a page file's name stands for, or -1 if it is no such name. */
  public static int pageNumber(String name) {
    try {
      int number = Integer.parseInt(name);
      return String.valueOf(number).equals(name) ? number : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
