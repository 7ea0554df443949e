/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.page;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;

import org.apache.hadoop.util.DataChecksum;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** Many chunks are summed up at once; the reference is Hadoop's own calculation for each. */
@RunWith(Parameterized.class)
public class TestChunkVerifier {

  private static final int PAGE = 1 << 20;

  @Parameters(name = "{0} of {1}")
  public static List<Object[]> kinds() {
    return List.of(
        new Object[] {DataChecksum.Type.CRC32C, 512}, new Object[] {DataChecksum.Type.CRC32, 512},
        new Object[] {DataChecksum.Type.CRC32C, 1}, new Object[] {DataChecksum.Type.CRC32, 777},
        new Object[] {DataChecksum.Type.CRC32C, 4096});
  }

  @Parameter(0)
  public DataChecksum.Type type;
  @Parameter(1)
  public int chunk;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  private ByteBuffer data;
  private ByteBuffer checksums;

  private ChunkVerifier make(int length, boolean direct) {
    DataChecksum checksum = DataChecksum.newDataChecksum(type, chunk);
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    ByteBuffer sums = ByteBuffer.allocate((length + chunk - 1) / chunk * 4);
    checksum.calculateChunkedSums(ByteBuffer.wrap(bytes), sums);
    data = filled(bytes, direct);
    checksums = filled(sums.array(), direct);
    return new ChunkVerifier(new PageLayout(PAGE, checksum, length));
  }

  private static ByteBuffer filled(byte[] bytes, boolean direct) {
    ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(bytes.length + 3)
        : ByteBuffer.allocate(bytes.length + 3);
    return buffer.position(3).put(bytes).position(3);
  }

  @Test
  public void verify_goodData_passes() throws Exception {
    for (int chunks = 0; chunks < 20; chunks++) {
      int rest = random.nextInt(chunk);
      if (chunks * chunk + rest > 0) {
        make(chunks * chunk + rest, chunks % 2 == 0).verify(data, checksums, 0, 0);
        assertEquals("seed " + seed, 3, data.position());
        assertEquals("seed " + seed, 3, checksums.position());
      }
    }
  }

  @Test
  public void verify_oneBitFlippedInDataOrChecksums_throwsAndNamesTheChunk() throws Exception {
    for (int i = 0; i < 50; i++) {
      int length = 1 + random.nextInt(10 * chunk);
      ChunkVerifier verifier = make(length, i % 2 == 0);
      boolean inData = random.nextBoolean();
      ByteBuffer target = inData ? data : checksums;
      int at = random.nextInt(target.remaining());
      target.put(3 + at, (byte) (target.get(3 + at) ^ 1 << random.nextInt(8)));
      DamagedPageException e = assertThrows("seed " + seed, DamagedPageException.class,
          () -> verifier.verify(data, checksums, 0, 0));
      int damaged = (inData ? at / chunk : at / 4) * chunk;
      assertTrue("seed " + seed + ": " + e.getMessage(), e.getMessage().endsWith(" " + damaged));
    }
  }

  @Test
  public void verify_chunksSwappedAndNotTheirChecksums_throws() {
    ChunkVerifier verifier = make(8 * chunk, true);
    // Chunks of one byte may be equal.
    data.put(3, (byte) ~data.get(3 + 5 * chunk));
    for (int i = 0; i < chunk; i++) {
      byte one = data.get(3 + i);
      data.put(3 + i, data.get(3 + 5 * chunk + i)).put(3 + 5 * chunk + i, one);
    }
    assertThrows(DamagedPageException.class, () -> verifier.verify(data, checksums, 0, 0));
  }
}
