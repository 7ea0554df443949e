/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.file;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.metrics.ErrorText;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the directories of blocks below a page store's root ({@code <bucket>/<block>}), and deletes
 * foreign files, if it can.
 */
public final class BlockScan {

  private record Aged(String fileId, long millis) {
  }

  private static final Logger LOG = LoggerFactory.getLogger(BlockScan.class);

  private final Path pages;
  private final Runnable onForeign;
  private final boolean skips;
  private boolean isSkipped;
  private boolean isRead;
  private final Map<String, Boolean> inOrder = new HashMap<>();
  private final List<Aged> others = new ArrayList<>();

  private BlockScan(Path pages, boolean skips, Runnable onForeign) {
    this.pages = pages;
    this.skips = skips;
    this.onForeign = onForeign;
  }

  /**
   * @param pages where the buckets are
   * @param order names of blocks, the most recently used first; may have names of missing blocks
   * @param skips whether to leave out directories that cannot be read, if others can
   * @param onForeign told of every deleted file
   * @return the existing blocks: first those missing in the order, which are newer, the last
   *     changed first; then the others in that order
   */
  public static List<String> newestFirst(
      Path pages, List<String> order, boolean skips, Runnable onForeign) throws IOException {
    BlockScan scan = new BlockScan(pages, skips, onForeign);
    order.forEach(fileId -> scan.inOrder.put(fileId, false));
    scan.scanBuckets();
    List<String> blocks = new ArrayList<>();
    scan.others.sort(Comparator.comparingLong(Aged::millis).reversed());
    scan.others.forEach(aged -> blocks.add(aged.fileId()));
    order.stream().filter(scan.inOrder::get).forEach(blocks::add);
    return blocks;
  }

  private void scanBuckets() throws IOException {
    for (Path layout : list(pages.getParent())) {
      if (!layout.equals(pages)) {
        foreign(layout);
      }
    }
    for (Path bucket : list(pages)) {
      readOrSkip(bucket, () -> {
        if (Existing.isDirectory(bucket)) {
          scanBucket(bucket);
        } else {
          foreign(bucket);
        }
      });
    }
    if (isSkipped && !isRead) {
      throw new IOException("no directory can be read in " + pages);
    }
  }

  private void readOrSkip(Path directory, InvocationRaisingIOE reading) throws IOException {
    try {
      reading.apply();
      isRead = true;
    } catch (IOException e) {
      if (!skips) {
        throw e;
      }
      isSkipped = true;
      LOG.warn("Local cache: {} cannot be read, its pages are lost: {}", directory, ErrorText.of(e));
    }
  }

  private void scanBucket(Path bucket) throws IOException {
    String number = bucket.getFileName().toString();
    for (Path block : list(bucket)) {
      String fileId = block.getFileName().toString();
      if (ReplicaIdentity.blockOf(fileId) == null
          || !number.equals(String.valueOf(PagePaths.bucketOf(fileId)))) {
        foreign(block);
      } else if (inOrder.replace(fileId, true) == null) {
        readOrSkip(block, () -> addByAge(block, fileId));
      }
    }
  }

  private void addByAge(Path block, String fileId) throws IOException {
    try {
      BasicFileAttributes attributes = Files.readAttributes(
          block, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (attributes.isDirectory()) {
        others.add(new Aged(fileId, attributes.lastModifiedTime().toMillis()));
      } else {
        foreign(block);
      }
    } catch (NoSuchFileException e) {
      // Deleted with its last page, or the whole SSD is missing for a moment: adopting it will
      // tell.
      others.add(new Aged(fileId, 0));
    }
  }

  private void foreign(Path path) {
    try {
      PageTree.delete(path);
      onForeign.run();
    } catch (IOException e) {
      LOG.warn("Local cache: {} is not of the local cache, and cannot be deleted: {}", path,
          ErrorText.of(e));
    }
  }

  private static List<Path> list(Path directory) throws IOException {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> listed = Files.newDirectoryStream(directory)) {
      listed.forEach(entries::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return entries;
  }
}
