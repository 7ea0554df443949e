/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.index;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.plugin.Interleavings;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.UseCount;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.page.PageLayout;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.net.SocketOutputStream;
import org.apache.hadoop.util.DataChecksum;
import org.junit.Test;

/**
 * Readers, fills, evictions and changes of one block, in many interleavings. Uses
 * {@link CachedBlock#add} and {@link CachedBlock#remove}, because Lincheck does not support
 * {@code Path}.
 */
public class TestIndexInterleavings {

  /** Each takes some 3 ms. */
  private static final int ORDERS = 700;
  private static final ReplicaSnapshot SNAPSHOT =
      new ReplicaSnapshot(new BlockKey("BP-1", 1), 1001, 4096);
  private static final PageLayout LAYOUT =
      new PageLayout(4096, TestingReplica.CRC32C, SNAPSHOT.length());

  private static CachedBlock register(BlockIndex index) {
    return index.register(SNAPSHOT, LAYOUT, TestingReplica.IDENTITY,
        TestingReplica.SSD).block();
  }

  @Test
  public void register_manyAtOnce_allGetTheSameEntry() {
    Interleavings.check(ORDERS, () -> {
      BlockIndex index = new BlockIndex();
      CachedBlock[] got = new CachedBlock[2];
      Interleavings.together(() -> got[0] = register(index), () -> got[1] = register(index));
      assertNotNull(got[0]);
      assertSame(got[0], got[1]);
      assertSame(got[0], index.find(SNAPSHOT));
    });
  }

  /** It would never be served, and a delete would not find it. */
  @Test
  public void fill_whileReadersGo_pageIsInTheIndex() {
    Interleavings.check(ORDERS, () -> {
      BlockIndex index = new BlockIndex();
      CachedBlock filled = register(index);
      assertTrue(filled.addReader());
      Runnable reader = () -> {
        CachedBlock found = index.find(SNAPSHOT);
        if (found != null && found.addReader()) {
          found.removeReader();
        }
      };
      Interleavings.together(() -> {
        filled.add(new TestingPage(0, 1));
        filled.removeReader();
      }, filled::removeReader, reader);
      assertSame(filled, index.find(SNAPSHOT));
      assertEquals(1, filled.pages());
    });
  }

  /** Otherwise a page could be in the index and not on the SSD, or vice versa. */
  @Test
  public void fillAndEvict_whileOthersRegister_oneEntryWithItsPages() {
    Interleavings.check(ORDERS, () -> {
      BlockIndex index = new BlockIndex();
      CachedBlock first = register(index);
      TestingPage page = new TestingPage(0, 1);
      first.add(page);
      first.removeReader();
      Interleavings.together(() -> first.remove(page), () -> {
        BlockIndex.Registration again = index.register(SNAPSHOT, LAYOUT, TestingReplica.IDENTITY,
        TestingReplica.SSD);
        assertNull("pages of the new entry would be removed", again.replaced());
        again.block().add(new TestingPage(0, 1));
        again.block().removeReader();
      });
      CachedBlock entry = index.find(SNAPSHOT);
      assertTrue("the page came before the eviction, or after it",
          entry == null ? first.isDead() && first.pages() == 0 : entry.pages() == entry.parts(0));
    });
  }

  /** The thread to which the entry is handed over removes its pages. */
  @Test
  public void discard_whileOthersDiscardAndRegister_eachEntryIsHandedOverOnce() {
    Interleavings.check(ORDERS, () -> {
      BlockIndex index = new BlockIndex();
      CachedBlock old = register(index);
      AtomicInteger handedOver = new AtomicInteger();
      ReplicaSnapshot later = new ReplicaSnapshot(SNAPSHOT.key(), 1002, SNAPSHOT.length());
      Runnable discard = () -> {
        if (index.discard(old)) {
          handedOver.incrementAndGet();
        }
      };
      Interleavings.together(discard, discard, () -> {
        if (index.register(later, LAYOUT, TestingReplica.IDENTITY,
        TestingReplica.SSD).replaced() == old) {
          handedOver.incrementAndGet();
        }
      });
      assertEquals(1, handedOver.get());
      assertNotNull(index.find(later));
    });
  }

  /** Changes come from several threads. A later one has to tell the reader where its replica went. */
  @Test
  public void discard_twiceAndAReaderComes_aCountedOneIsStillRead() {
    Interleavings.check(ORDERS, () -> {
      BlockIndex index = new BlockIndex();
      CachedBlock block = register(index);
      block.add(new TestingPage(0, 1));
      block.removeReader();
      boolean[] counted = {false};
      Interleavings.together(() -> index.discard(block), () -> index.discard(block),
          () -> counted[0] = block.addReader());
      assertEquals("still read", counted[0] ? List.of(block) : List.of(), stillRead(index));
      if (counted[0]) {
        block.removeReader();
      }
      assertEquals("nobody reads", List.of(), stillRead(index));
    });
  }

  private static List<CachedBlock> stillRead(BlockIndex index) {
    List<CachedBlock> found = new ArrayList<>();
    index.forEachStillRead(found::add);
    return found;
  }

  /** As in a read without a local cache, which has them open from the beginning. */
  @Test
  public void delete_whileReadersComeAndGo_aCountedOneFindsTheFilesOpen() {
    Interleavings.check(ORDERS, () -> {
      BlockIndex index = new BlockIndex();
      Files files = new Files();
      CachedBlock block = register(index);
      block.add(new TestingPage(0, 1));
      Interleavings.together(block::removeReader, () -> delete(index, files), () -> {
        if (block.addReader()) {
          ReplicaFiles kept = block.keptReplica();
          assertTrue("deleted, and not kept", kept != null || !files.deleted);
          if (kept != null) {
            assertFalse("closed while it is read", files.closed);
            kept.close();
          }
          block.removeReader();
        }
      });
      assertEquals("opened and not closed", files.opened, files.closed);
      index.forEachStillRead(left -> assertSame("nobody reads", null, left));
    });
  }

  /** Two threads have so few interleavings that those with three thread switches are tried. */
  @Test
  public void delete_whileAnEarlierReaderGoes_theLaterOneHasTheFiles() {
    Interleavings.check(ORDERS, () -> {
      BlockIndex index = new BlockIndex();
      Files files = new Files();
      CachedBlock block = register(index);
      block.add(new TestingPage(0, 1));
      Interleavings.together(block::removeReader, () -> {
        assertTrue(block.addReader());
        delete(index, files);
        ReplicaFiles kept = block.keptReplica();
        assertNotNull("not kept for one who reads", kept);
        kept.close();
        block.removeReader();
      });
      assertTrue("nobody reads", files.closed);
    });
  }

  /** As the DataNode does it: tells with its locks held, tells again without them, and unlinks. */
  private static void delete(BlockIndex index, Files files) {
    index.forEach(SNAPSHOT.key(), block -> {
      block.replicaMoved(files);
      index.discard(block);
      assertFalse("opened while locks are held", files.opened);
    });
    index.forEachStillRead(block -> {
      try {
        block.keepReplica();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    files.deleted = true;
  }

  /** Lincheck does not support files. */
  private static final class Files implements ReplicaFiles, ReplicaFiles.Opener {

    private final UseCount users = new UseCount();
    private volatile boolean opened;
    private volatile boolean closed;
    private volatile boolean deleted;

    @Override
    public ReplicaFiles open(ReplicaSnapshot snapshot) {
      opened = true;
      return this;
    }

    @Override
    public boolean retain() {
      return users.retain();
    }

    @Override
    public void close() {
      closed |= users.release();
    }

    @Override
    public ReplicaIdentity identity() {
      throw new UnsupportedOperationException();
    }

    @Override
    public DataChecksum checksum() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void readData(long position, java.nio.ByteBuffer buffer) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void readChecksums(long position, java.nio.ByteBuffer buffer) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void transferTo(SocketOutputStream out, long position, int length,
        LongWritable waitTime, LongWritable transferTime) {
      throw new UnsupportedOperationException();
    }
  }
}
