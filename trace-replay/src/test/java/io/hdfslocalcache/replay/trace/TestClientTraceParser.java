/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

import io.hdfslocalcache.replay.trace.Trace.Access.Op;
import io.hdfslocalcache.replay.trace.TraceLoader.LineParser;
import org.junit.Test;

/** Lines as the DataNodes of three Hadoop lines log them. */
public class TestClientTraceParser {

  private static final String LOGGER =
      " DEBUG org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace: ";
  private static final String BLOCK = "BP-660077336-127.0.0.1-1795261152704:blk_1073741826_1002";
  private static final String READ_3_3 = "2026-01-31 23:59:59,250" + LOGGER
      + "src: /10.0.0.1:9866, dest: /10.0.0.7:43226, bytes: 8772, op: HDFS_READ, "
      + "cliID: DFSClient_NONMAPREDUCE_-2045287560_1, offset: 3276800, srvID: 2e71e330-4738, "
      + "blockid: " + BLOCK + ", duration(ns): 214000000";

  private final ClientTraceParser parser = new ClientTraceParser(ZoneOffset.UTC, 512);

  private static String with(String old, String replacement) {
    assertEquals(true, READ_3_3.contains(old));
    return READ_3_3.replace(old, replacement);
  }

  private void assertBad(String why, String line) {
    TraceException e =
        assertThrows(TraceException.class, () -> parser.parse(line));
    assertEquals(why, e.getMessage());
  }

  @Test
  public void parse_readOfHadoop33_beginsBeforeItsDurationAndHasNoChecksums() throws Exception {
    LineParser.Line line = parser.parse(READ_3_3);
    assertEquals(Op.READ, line.op());
    assertEquals(Instant.parse("2026-01-31T23:59:59.036Z").toEpochMilli(),
        line.read().startMillis());
    assertEquals(214_000, line.read().durationMicros());
    assertEquals("BP-660077336-127.0.0.1-1795261152704", line.read().blockPoolId());
    assertEquals(1073741826, line.read().blockId());
    assertEquals(1002, line.read().generationStamp());
    assertEquals(3276800, line.read().offset());
    assertEquals(17 * 512, line.read().length());
    assertEquals("10.0.0.7", line.read().reader());
  }

  @Test
  public void parse_readOfHadoop34_emptyVolumeMakesNoDifference() throws Exception {
    LineParser.Line line = parser.parse(with(", bytes:", ", volume: , bytes:"));
    assertEquals(17 * 512, line.read().length());
    assertEquals("10.0.0.7", line.read().reader());
  }

  @Test
  public void parse_writeOfHadoop35_isOfTheClientAndHasNoChecksumsToTakeAway() throws Exception {
    LineParser.Line line = parser.parse("2026-01-31 23:59:59,250 INFO datanode.DataNode."
        + "clienttrace: src: /10.0.0.9:43004, dest: /10.0.0.1:9866, volume: /data/1, "
        + "bytes: 100001, op: HDFS_WRITE, cliID: DFSClient_1, offset: 0, srvID: 2e71e330, "
        + "blockid: " + BLOCK + ", duration(ns): 1171197");
    assertEquals(Op.WRITE, line.op());
    assertEquals("10.0.0.9", line.read().reader());
    assertEquals(100_001, line.read().length());
    assertEquals(100_001, line.read().replicaBytes());
  }

  @Test
  public void parse_shortCircuitWithoutOffset_isAnAccess() throws Exception {
    LineParser.Line line = parser.parse("2026-01-31 23:59:59,250 INFO datanode.DataNode."
        + "clienttrace: src: 127.0.0.1, dest: 127.0.0.1, op: REQUEST_SHORT_CIRCUIT_FDS, "
        + "blockid: 1073741826, srvID: 2e71e330, success: true");
    assertEquals(Op.SHORT_CIRCUIT, line.op());
    assertEquals(1073741826, line.read().blockId());
    assertEquals(0, line.read().length());
  }

  @Test
  public void parse_releaseOfShortCircuit_isPassedOver() throws Exception {
    assertNull(parser.parse("2026-01-31 23:59:59,250 INFO x.clienttrace: "
        + "src: 127.0.0.1, dest: 127.0.0.1, op: RELEASE_SHORT_CIRCUIT_FDS, shmId: 00, slotIdx: 1, "
        + "srvID: 2e71e330, success: true"));
  }

  @Test
  public void parse_readByADataNode_isNoClientRead() throws Exception {
    assertNull(parser.parse("2026-01-31 23:59:59,250" + LOGGER
        + "DatanodeRegistration(127.0.0.1:9866) Served block " + BLOCK + " to /10.0.0.2:1"));
  }

  @Test
  public void parse_lineOfAnotherLogger_isPassedOver() throws Exception {
    assertNull(parser.parse("2026-01-31 23:59:59,250 INFO datanode.DataNode: "
        + "Receiving " + BLOCK + " src: /10.0.0.9:1 dest: /10.0.0.1:2"));
    assertNull(parser.parse("\tat java.base/java.lang.Thread.run"));
  }

  @Test
  public void parse_zone_movesTheTime() throws Exception {
    LineParser.Line line =
        new ClientTraceParser(ZoneId.of("Europe/Berlin"), 512).parse(READ_3_3);
    assertEquals(Instant.parse("2026-01-31T22:59:59.036Z").toEpochMilli(),
        line.read().startMillis());
  }

  @Test
  public void parse_otherLayoutsOfTheTime_areUnderstood() throws Exception {
    long end = Instant.parse("2026-01-31T23:59:59Z").toEpochMilli();
    for (String time : new String[] {"2026-01-31 23:59:59", "2026-01-31T23:59:59.000",
        "26/01/31 23:59:59"}) {
      assertEquals(time, end - 214,
          parser.parse(with("2026-01-31 23:59:59,250", time)).read().startMillis());
    }
  }

  @Test
  public void parse_damagedLine_tellsWhatIsWrong() {
    assertBad("no offset", with(", offset: 3276800", ""));
    assertBad("negative offset -5", with("offset: 3276800", "offset: -5"));
    assertBad("negative length -8772", with("bytes: 8772", "bytes: -8772"));
    assertBad("negative duration -1", with("duration(ns): 214000000", "duration(ns): -1"));
    assertBad("bytes is no number: 87x", with("bytes: 8772", "bytes: 87x"));
    assertBad("no block: blk_x", with(BLOCK, "blk_x"));
    assertBad("does not begin with a time such as 2026-01-31 23:59:59,999",
        with("2026-01-31 ", "2026-13-31 "));
    assertBad("no duration", READ_3_3.substring(0, READ_3_3.indexOf(", duration")));
    assertBad("no op", READ_3_3.substring(0, READ_3_3.indexOf(", op")));
  }

  private static long sent(long data, int chunk) {
    return data + (data + chunk - 1) / chunk * 4;
  }

  @Test
  public void dataBytes_anyLength_undoesWhatTheDataNodeDoes() throws Exception {
    for (int chunk : new int[] {1, 512, 4096}) {
      for (long data = 0; data < 10_000; data++) {
        assertEquals(data, ClientTraceParser.dataBytes(sent(data, chunk), chunk));
      }
      assertEquals(5L << 40, ClientTraceParser.dataBytes(sent(5L << 40, chunk), chunk));
    }
    assertEquals("no checksums", 516, ClientTraceParser.dataBytes(516, 0));
  }

  @Test
  public void dataBytes_checksumWithoutData_isBad() {
    assertThrows(TraceException.class, () -> ClientTraceParser.dataBytes(516 + 4, 512));
    assertThrows(TraceException.class, () -> ClientTraceParser.dataBytes(1, 512));
  }
}
