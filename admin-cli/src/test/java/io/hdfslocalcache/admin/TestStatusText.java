/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.Test;

/** How the answers of DataNodes are printed. */
public class TestStatusText {

  @Test
  public void status_sickSsdAndErrors_areNamed() throws Exception {
    assertEquals(List.of(
        "dn1:9867: on",
        "  SSD /ssd/0: DOWN (does not answer: PageRead for 1003 ms), 512 MB of 1.6 TB used, "
            + "2 TB written of 4 PB in its life, 300 days left at this rate",
        "  SSD /ssd/1: NORMAL, 0 B of 1.6 TB used, 1 KB written",
        "  a read waits 212.3 ms for /data/2, the slowest of 2 data volumes",
        "  memory: 512 KB of 1 GB used, 2 pages",
        "  offload 62.1 %, reuse rate 99.5 %; 1 KB read from SSD, 2 KB from memory, "
            + "5 KB from data volumes",
        "  12 pages of 1 block; 13 filled, 4 waiting, 1 evicted, 0 invalidated",
        "  errors: PageReadTimeout 3, PageReadIo 1"),
        Status.text("dn1:9867", json("{'on':true,'note':'','pages':12,'blocks':1,"
            + "'fillQueuePages':4,'offload':0.6213,'reuseRate':0.995,"
            + "'counters':{'BytesHit':3072,'BytesMemory':2048,'BytesMiss':4096,'BytesBypass':1024,'Fills':13,"
            + "'Evictions':1,'InvalidatedPages':0},"
            + "'errors':{'ErrorsPageReadTimeout':3,'ErrorsPageReadIo':1},"
            + "'memory':{'pages':2,'usedBytes':524288,'capacityBytes':1073741824},"
            + "'ssds':[{'directory':'/ssd/0','state':'DOWN',"
            + "'reason':'does not answer: PageRead for 1003 ms',"
            + "'usedBytes':536870912,'capacityBytes':1759218604442,"
            + "'wear':{'writtenBytes':2199023255552,'enduranceBytes':4503599627370496,'lifeDays':300}},"
            + "{'directory':'/ssd/1','state':'NORMAL','usedBytes':0,'capacityBytes':1759218604442,"
            + "'wear':{'writtenBytes':1024,'enduranceBytes':0,'lifeDays':-1}}],"
            + "'volumes':[{'directory':'/data/1','readWaitMillis':8.021},"
            + "{'directory':'/data/2','readWaitMillis':212.34}]}")));
  }

  @Test
  public void status_nothingReadAndNoSsd_isPrintedWithoutShares() throws Exception {
    assertEquals(List.of(
        "dn1:9867: off (no directory)",
        "  offload -, reuse rate -; 0 B read from SSD, 0 B from memory, 0 B from data volumes",
        "  0 pages of 0 blocks; 0 filled, 0 waiting, 0 evicted, 0 invalidated",
        "  no errors"),
        Status.text("dn1:9867", json("{'on':false,'note':'(no directory)','offload':null}")));
  }

  @Test
  public void status_spentBudgetAndRestart_areSaid() throws Exception {
    List<String> lines = Status.text("dn1:9867", json("{'condition':'not-filling',"
        + "'conditionDetail':'write budget spent until 14:05','restoreMillis':200400,'on':true,"
        + "'counters':{'RestoredPages':1}}"));
    assertEquals("dn1:9867: not-filling: write budget spent until 14:05; on", lines.get(0));
    assertEquals("  restored 1 page; the last restore took 3 min 20 s", lines.get(3));
    assertEquals("not while one is in progress", lines.size() - 1, Status.text("dn1:9867",
        json("{'condition':'ssd-down','restoreMillis':-1,'on':true,"
        + "'counters':{'RestoredPages':1}}")).size());
  }

  @Test
  public void progress_knowsRateAndTimeLeft_whileItMoves() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    AtomicLong nanos = new AtomicLong();
    Progress progress = new Progress(
        new PrintStream(err, true, StandardCharsets.UTF_8), 100, "replica", nanos::get);
    nanos.set(2_000_000_000L);
    progress.add(1, 0, 1 << 20);
    nanos.set(4_000_000_000L);
    progress.add(3, 0, 7 << 20);
    nanos.set(8_000_000_000L);
    progress.add(0, 12, 0);
    nanos.set(12_000_000_000L);
    progress.add(0, 0, 0);
    assertEquals(List.of("4 of 100 replicas done, 2 MB/s, 1 min 36 s left",
        "4 of 100 replicas done, 12 failed, 1 MB/s, 2 min 48 s left",
        "4 of 100 replicas done, 12 failed"),
        err.toString(StandardCharsets.UTF_8).lines().toList());
  }

  @Test
  public void status_shortCircuitOpens_haveALine() throws Exception {
    List<String> lines = Status.text("dn1:9867", json("{'on':true,'shortCircuitShare':0.1042,"
        + "'counters':{'ShortCircuitOpens':812}}"));
    assertEquals("  812 short-circuit opens, 10.4 % of all opens and reads by clients: they bypass "
        + "the local cache", lines.get(2));
  }

  @Test
  public void status_writeBudget_isShownWithWhatIsLeft() throws Exception {
    for (String left : List.of("3145728", "-1")) {
      assertTrue(Status.text("dn1:9867", json("{'admission':{'BudgetBytesPerDay':67108864,"
          + "'BudgetBalanceBytes':" + left + "}}")).contains("  write budget of all SSDs: 64 MB a day; "
          + (left.equals("-1") ? "0 B" : "3 MB") + " left"));
    }
    assertTrue(Status.text("dn1:9867", json("{'admission':{'BudgetBytesPerDay':67108864}}"))
        .contains("  write budget of all SSDs: 64 MB a day; what is left is not known"));
  }

  @Test
  public void status_ssdThatWasNeverOpen_saysNothingOfItsSpace() throws Exception {
    String ssd = "'ssds':[{'directory':'/ssd/0','usedBytes':0,'capacityBytes':0,";
    assertTrue(Status.text("dn1:9867", json("{" + ssd + "'state':'DOWN','reason':'directory is missing'}]}"))
        .contains("  SSD /ssd/0: DOWN (directory is missing)"));
    assertTrue(Status.text("dn1:9867", json("{" + ssd + "'state':'NORMAL','drained':true}]}"))
        .contains("  SSD /ssd/0: NORMAL, 0 B used"));
  }

  /** A restart will return to it. */
  @Test
  public void status_anotherValueIsSavedThanTheOneInForce_isShown() throws Exception {
    String setting = "'key':'k','value':'20g','configured':'20g'";
    for (boolean isDryRun : new boolean[] {false, true}) {
      List<String> lines = Status.text("dn1:9867", json("{'dryRun':" + isDryRun + ",'settings':[{"
          + setting + ",'kept':'10g'},{" + setting + ",'kept':'20g'},{" + setting + "}]}"));
      assertEquals(
          List.of("  set: k = 20g until the DataNode restarts, saved is 10g, configured is 20g"),
          lines.stream().filter(line -> line.startsWith("  set: ")).toList());
    }
  }

  @Test
  public void status_dryRunWithASpentBudget_saysSo() throws Exception {
    assertEquals("dn1:9867: dry-run: write budget spent until 14:05; on (dry run)",
        Status.text("dn1:9867", json("{'condition':'dry-run','conditionDetail':"
            + "'write budget spent until 14:05','on':true,'note':'(dry run)','dryRun':true}"))
            .get(0));
  }

  @Test
  public void explain_readsNotKnown_leavesThemOut() throws Exception {
    assertEquals("0 of 3 pages cached on /ssd/0 (NORMAL); admitted: every block is admitted",
        Explain.text(json("{'cachedPages':0,'pages':3,'ssd':'/ssd/0','ssdState':'NORMAL',"
            + "'reads':null,'admitted':true,'why':'every block is admitted'}")));
  }

  @Test
  public void explain_partsOfPages_allPages_noSsd() throws Exception {
    assertEquals("2 of 3 pages cached on /ssd/0 (NORMAL), 1 of them whole; not admitted: spent",
        Explain.text(json("{'cachedPages':2,'wholePages':1,'pages':3,'ssd':'/ssd/0',"
            + "'ssdState':'NORMAL','admitted':false,'why':'spent'}")));
    assertEquals("3 of 3 pages cached on /ssd/0 (NORMAL)",
        Explain.text(json("{'cachedPages':3,'wholePages':3,'pages':3,'ssd':'/ssd/0',"
            + "'ssdState':'NORMAL','admitted':true,'why':''}")));
    assertEquals("no page is left to be admitted",
        "3 of 3 pages cached on /ssd/0 (NORMAL); heat 3.00 reaches the threshold 1.37",
        Explain.text(json("{'cachedPages':3,'wholePages':3,'pages':3,'ssd':'/ssd/0',"
            + "'ssdState':'NORMAL','admitted':true,'why':'heat 3.00 reaches the threshold 1.37'}")));
    assertEquals("3 of 3 pages cached on /ssd/0 (NORMAL); but the local cache is off",
        Explain.text(json("{'cachedPages':3,'wholePages':3,'pages':3,'ssd':'/ssd/0',"
            + "'ssdState':'NORMAL','admitted':false,'why':'the local cache is off'}")));
    assertEquals("0 of 0 pages cached on /ssd/0 (NORMAL); not admitted: no finalized replica",
        Explain.text(json("{'cachedPages':0,'wholePages':0,'pages':0,'ssd':'/ssd/0',"
            + "'ssdState':'NORMAL','admitted':false,'why':'no finalized replica'}")));
    assertEquals("0 of 3 pages cached on no SSD; not admitted: no SSD is in use",
        Explain.text(json("{'cachedPages':0,'wholePages':0,'pages':3,'ssd':'no SSD',"
            + "'ssdState':null,'admitted':false,'why':'no SSD is in use'}")));
  }

  @Test
  public void blockPaths_ofFsck_areReadByBlock() {
    assertEquals(Map.of("blk_3", "/a b/c"), FileBlocks.parsePaths("""
        Connecting to namenode
        FSCK started by root

        Block Id: blk_3
        Block belongs to: /a b/c
        No. of Expected Replica: 1
        Block replica on datanode/rack: dn1/default-rack is HEALTHY

        Block blk_4 does not exist
        """));
    assertEquals(Map.of(), FileBlocks.parsePaths(""));
  }

  /** The owner of a file chooses its name. */
  @Test
  public void blockPaths_fileNameLooksLikeLinesOfFsck_noOtherBlockGetsAPathFromIt() {
    String forged = """
        Block Id: blk_3
        Block belongs to: /own
        Block belongs to: /of/others
        Block Id: blk_4
        Block belongs to: /forged
        Block Id: blk_5
        Block belongs to: /forged
        No. of Expected Replica: 1
        """;
    String others = """
        Block Id: blk_4
        Block belongs to: /4
        No. of Expected Replica: 1

        Block blk_5 does not exist

        Block Id: blk_6
        Block belongs to: /6
        """;
    assertEquals(Map.of("blk_3", "/own", "blk_6", "/6"), FileBlocks.parsePaths(forged + others));
    assertEquals(Map.of("blk_3", "/own", "blk_6", "/6"), FileBlocks.parsePaths(others + forged));
  }

  private static JsonNode json(String text) throws Exception {
    return new ObjectMapper().readTree(text.replace('\'', '"'));
  }
}
