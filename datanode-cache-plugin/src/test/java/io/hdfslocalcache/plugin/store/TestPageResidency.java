/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The real kernel, asked of real files. */
public class TestPageResidency {

  private static final int LENGTH = (1 << 20) + 8192 + 60;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path path;
  private FileChannel file;
  private final PageToucher toucher = new PageToucher();
  private PageResidency memory;

  @Before
  public void open() throws IOException {
    assumeTrue("this kernel does not tell", Pagemap.isAvailable());
    path = Files.write(folder.getRoot().toPath().resolve("page"), new byte[LENGTH]);
    file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    memory = PageResidency.of(path, file, toucher);
  }

  @After
  public void close() throws IOException {
    if (memory != null) {
      memory.close();
      file.close();
    }
    toucher.close();
  }

  @Test
  public void isMappedIn_inMemoryButNotMappedIn_isFalse() {
    assertTrue(memory.isResident(0, LENGTH));
    assertFalse(memory.isMappedIn(0, 1));
  }

  @Test
  public void mapIn_allInMemory_isMappedInWhole() throws IOException {
    assertTrue(memory.mapIn());
    assertTrue(memory.isMappedIn(0, LENGTH));
    assertTrue(memory.isMappedIn(LENGTH - 1, LENGTH));
    assertFalse("there is no more", memory.isMappedIn(0, LENGTH + 1));
  }

  @Test
  public void isMappedIn_partLeftMemoryAndCameBack_isFalseForThatPart() throws IOException {
    assertTrue(memory.mapIn());
    file.truncate(1 << 19);
    file.write(ByteBuffer.allocate(LENGTH - (1 << 19)), 1 << 19);
    assertTrue(memory.isResident(0, LENGTH));
    assertTrue(memory.isMappedIn(0, 1 << 19));
    assertFalse(memory.isMappedIn(1 << 19, LENGTH));
    assertFalse(memory.isMappedIn(0, LENGTH));
    assertTrue(memory.mapIn());
    assertTrue(memory.isMappedIn(0, LENGTH));
  }

  @Test
  public void mapIn_fileIsCut_isNoErrorOfTheProcess() throws IOException {
    file.truncate(4096);
    assertThrows(IOException.class, memory::mapIn);
    assertFalse(memory.isMappedIn(0, LENGTH));
  }

  @Test
  public void mapIn_threadIsInterrupted_worksForTheNext() throws IOException {
    assertTrue("the channel to be closed is open", memory.mapIn());
    file.truncate(0);
    file.write(ByteBuffer.allocate(LENGTH), 0);
    Thread.currentThread().interrupt();
    assertThrows(IOException.class, memory::mapIn);
    assertTrue(Thread.interrupted());
    memory.isMappedIn(0, 1);
    assertTrue(memory.mapIn());
    Thread.currentThread().interrupt();
    assertFalse(memory.isMappedIn(0, LENGTH));
    assertTrue(Thread.interrupted());
    memory.isMappedIn(0, LENGTH);
    assertTrue(memory.isMappedIn(0, LENGTH));
  }

  @Test
  public void isMappedIn_manyThreads_allSeeIt() throws Exception {
    assertTrue(memory.mapIn());
    CountDownLatch right = new CountDownLatch(8);
    for (int i = 0; i < 8; i++) {
      new Thread(() -> {
        for (int n = 0; n < 1000; n++) {
          if (!memory.isMappedIn(0, LENGTH)) {
            return;
          }
        }
        right.countDown();
      }).start();
    }
    assertTrue(right.await(60, TimeUnit.SECONDS));
  }
}
