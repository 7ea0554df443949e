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
    String name = file.getParent().getFileName().toString();
    String pool = BlockFileId.blockOf(name).blockPoolId();
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
        before, BlockFileId.of(before, BlockFileId.identityOf(name)), layout, number, 0);
    return older;
  }

  /** What can become of a page file. Its data comes first, then checksums, then the trailer. */
  public enum Damage {
    /** A bit of the data is flipped. */
    DATA_BIT((page, other, older) -> flipped(page, 5000)),
    /** A bit of a checksum is flipped. */
    CHECKSUM_BIT((page, other, older) -> flipped(page, Damage.DATA + 17)),
    /** A bit of the trailer is flipped. */
    TRAILER_BIT((page, other, older) -> flipped(page, page.length - PageTrailer.LENGTH + 20)),
    /** A block of the data is zero. */
    DATA_ZERO((page, other, older) -> zeroed(page, 8192, 8192 + 4096)),
    /** Checksums and trailer are zero. */
    CHECKSUMS_ZERO((page, other, older) -> zeroed(page, Damage.DATA, page.length)),
    /** Everything is zero. */
    ALL_ZERO((page, other, older) -> zeroed(page, 0, page.length)),
    /** It is another page of the same block. */
    SWAPPED((page, other, older) -> other),
    /** A block of its data is that of another page. */
    DATA_SWAPPED((page, other, older) -> copied(other, page, 4096, 8192)),
    /** It is what it was before the block's last change: the writes since are lost. */
    STALE((page, other, older) -> older),
    /** The same, of the data only. */
    DATA_STALE((page, other, older) -> copied(older, page, 0, Damage.DATA)),
    /** The same, of checksums and trailer only. */
    CHECKSUMS_STALE((page, other, older) -> copied(older, page, Damage.DATA, page.length)),
    /** The same, of all but the trailer: data and checksums match each other. */
    ALL_BUT_TRAILER_STALE((page, other, older) ->
        copied(older, page, 0, page.length - PageTrailer.LENGTH)),
    /** Checksums and trailer are missing. */
    CUT((page, other, older) -> Arrays.copyOf(page, Damage.DATA)),
    /** There is nothing in it. */
    EMPTY((page, other, older) -> new byte[0]);

    /** Bytes of data in a full page. */
    private static final int DATA = LocalCacheCluster.PAGE;

    private final Change change;

    /** Makes of a page, which may be changed, what becomes of it. */
    private interface Change {
      byte[] apply(byte[] page, byte[] other, byte[] older);
    }

    Damage(Change change) {
      this.change = change;
    }

    private static byte[] flipped(byte[] page, int at) {
      page[at] ^= 16;
      return page;
    }

    private static byte[] zeroed(byte[] page, int from, int to) {
      Arrays.fill(page, from, to, (byte) 0);
      return page;
    }

    private static byte[] copied(byte[] source, byte[] page, int from, int to) {
      System.arraycopy(source, from, page, from, to - from);
      return page;
    }

    /**
     * @param page the sound page file, of a full page, which may be changed
     * @param other another full page of the block
     * @param older the same page before the block's last change
     * @return what becomes of it
     */
    byte[] apply(byte[] page, byte[] other, byte[] older) {
      return change.apply(page, other, older);
    }

    /** @return whether the file keeps its length, so that it can happen below a file system. */
    public boolean keepsLength() {
      return this != CUT && this != EMPTY;
    }
  }
}
