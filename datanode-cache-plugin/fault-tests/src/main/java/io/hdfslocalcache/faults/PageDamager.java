/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.index.BlockFileId;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageTrailer;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.util.DataChecksum;

/** Damages page files where the OS page cache does not see it. */
public final class PageDamager {

  private static final int BLOCK = 4096;

  private final Ssd ssd;

  public PageDamager(Ssd ssd) {
    this.ssd = ssd;
  }

  /**
   * Damages the file of a full page, below whatever is in memory of it. Call
   * {@link Ssd#dropCaches} to have it seen.
   *
   * @param other the file of another full page of the block
   */
  public void damage(Damage damage, Path page, Path other) throws IOException {
    byte[] sound = Files.readAllBytes(page);
    byte[] damaged = damage.apply(
        sound.clone(), Files.readAllBytes(other), older(page, sound));
    Path image = ssd.faults().below().resolve("image");
    if (!Files.exists(image)) {
      overwrite(below(page), damaged);
    } else if (damage.keepsLength()) {
      ssd.dropCaches();
      overwriteBlocks(image, sound, damaged);
    } else {
      overwrite(page, damaged);
    }
  }

  private Path below(Path page) {
    return ssd.faults().below().resolve(ssd.faults().mountPoint().relativize(page).toString());
  }

  /** In place: it is open. */
  private static void overwrite(Path path, byte[] bytes) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.write(bytes);
      file.setLength(bytes.length);
    }
  }

  private static void overwriteBlocks(Path image, byte[] sound, byte[] damaged)
      throws IOException {
    byte[] all = Files.readAllBytes(image);
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      for (int from = 0; from < sound.length; from += BLOCK) {
        int to = Math.min(from + BLOCK, sound.length);
        if (!Arrays.equals(sound, from, to, damaged, from, to)) {
          overwriteBlock(file, find(all, sound, from, to), damaged, from, to);
        }
      }
    }
  }

  private static void overwriteBlock(RandomAccessFile image, List<Integer> places,
      byte[] damaged, int from, int to) throws IOException {
    if (places.isEmpty()) {
      throw new IOException("the page has not come down to the device");
    }
    for (int at : places) {
      image.seek(at);
      image.write(damaged, from, to - from);
    }
  }

  /** Files that are deleted leave blocks behind that look the same. */
  private static List<Integer> find(byte[] image, byte[] sound, int from, int to) {
    List<Integer> places = new ArrayList<>();
    for (int at = 0; at < image.length; at += BLOCK) {
      if (Arrays.equals(image, at, at + to - from, sound, from, to)) {
        places.add(at);
      }
    }
    return places;
  }

  /**
   * A page as it was under the block's last generation stamp: other bytes, and right in itself.
   *
   * @param file the page's file
   * @param page what is in it; a full page
   */
  private static byte[] older(Path file, byte[] page) throws IOException {
    PageTrailer.Origin origin = PageTrailer.read(
        ByteBuffer.wrap(page, page.length - PageTrailer.LENGTH, PageTrailer.LENGTH));
    if (origin == null) {
      throw new IOException("not a page: " + file);
    }
    String pool = BlockFileId.blockOf(file.getParent().getFileName().toString()).blockPoolId();
    ReplicaSnapshot before = new ReplicaSnapshot(new BlockKey(pool, origin.blockId()),
        origin.generationStamp() - 1, origin.blockLength());
    PageLayout layout =
        new PageLayout(LocalCacheCluster.PAGE, origin.checksum(), origin.blockLength());
    int number = Integer.parseInt(file.getFileName().toString());
    byte[] older = LocalCacheCluster.bytes(Arrays.hashCode(page), page.length);
    DataChecksum checksum = layout.newChecksum();
    checksum.calculateChunkedSums(
        older, 0, LocalCacheCluster.PAGE, older, LocalCacheCluster.PAGE);
    PageTrailer.write(ByteBuffer.wrap(older, LocalCacheCluster.PAGE, layout.tailLength()).slice(),
        before, layout, number, 0);
    return older;
  }
}
