/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.ssd.KeptState;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

public class TestRuleKeeper {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  @Rule
  public final Timeout timeout = Timeout.seconds(60);

  /** Each ends with the assignment of pages. */
  private final AtomicInteger rounds = new AtomicInteger();

  private RuleKeeper keeper() throws Exception {
    return keeper(10);
  }

  /** @return one with a rule of a path, looking every so many milliseconds */
  private RuleKeeper keeper(long intervalMillis) throws Exception {
    Path file = folder.newFile().toPath();
    Files.writeString(file,
        "{\"rules\": [{\"name\": \"a\", \"path\": \"/a\", \"action\": \"always\"}]}");
    return new RuleKeeper(file, intervalMillis, 1000, 1 << 16, new LocalCacheMetrics());
  }

  @Test
  public void round_failsForWantOfMemory_theNextIsMade() throws Exception {
    AtomicInteger listed = new AtomicInteger();
    AtomicInteger assigned = new AtomicInteger();
    AtomicInteger obtained = new AtomicInteger();
    AtomicInteger closed = new AtomicInteger();
    BlockLister lister = new BlockLister() {
      @Override
      public String namespace() {
        return "ns";
      }

      @Override
      public void list(List<String> paths, Found found) {
        if (listed.incrementAndGet() <= 2) {
          throw new OutOfMemoryError("thrown by a test");
        }
      }

      @Override
      public void close() {
        closed.incrementAndGet();
      }
    };
    try (RuleKeeper keeper = keeper()) {
      keeper.start(() -> {
        obtained.incrementAndGet();
        return List.of(lister);
      }, () -> {
        if (assigned.incrementAndGet() <= 2) {
          throw new OutOfMemoryError("thrown by a test");
        }
      });
      while (!keeper.isLookedUp()) {
        Thread.sleep(1);
      }
    }
    assertTrue(listed + " " + assigned, listed.get() > 2 && assigned.get() > 2);
    assertEquals("each is closed with its round", obtained.get(), closed.get());
  }

  @Test
  public void rulesHaveNoPaths_noNameNodeIsAsked() throws Exception {
    Path file = folder.newFile().toPath();
    write(file, 1);
    AtomicInteger obtained = new AtomicInteger();
    try (RuleKeeper keeper = new RuleKeeper(file, 10, 1000, 1 << 16, new LocalCacheMetrics())) {
      keeper.start(() -> {
        obtained.incrementAndGet();
        return List.of(new NameNode("down", true));
      }, rounds::incrementAndGet);
      awaitTwoRounds();
      assertTrue(keeper.isLookedUp());
      assertEquals(List.of(), keeper.notListed());
    }
    assertEquals(0, obtained.get());
  }

  /** Another block pool is ready. */
  @Test
  public void start_again_looksBeforeTheNextRoundIsDue_andKnowsNothingUntilThen() throws Exception {
    CountDownLatch mayList = new CountDownLatch(1);
    try (RuleKeeper keeper = keeper(TimeUnit.HOURS.toMillis(1))) {
      keeper.start(() -> List.of(new NameNode("a", false)), () -> { });
      awaitLookUp(keeper);
      assertTrue(keeper.rules().knowsPages());
      keeper.start(() -> {
        try {
          mayList.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        return List.of(new NameNode("a", false));
      }, () -> { });
      assertFalse(keeper.isLookedUp());
      assertFalse("its pages may be evicted as nobody's", keeper.rules().knowsPages());
      mayList.countDown();
      awaitLookUp(keeper);
      assertTrue(keeper.rules().knowsPages());
    }
  }

  private static void awaitLookUp(RuleKeeper keeper) throws InterruptedException {
    while (!keeper.isLookedUp()) {
      Thread.sleep(1);
    }
  }

  /** Has one block on each path, unless it is down. */
  private static class NameNode implements BlockLister {
    private final String namespace;
    private volatile boolean isDown;

    NameNode(String namespace, boolean isDown) {
      this.namespace = namespace;
      this.isDown = isDown;
    }

    @Override
    public String namespace() {
      return namespace;
    }

    @Override
    public void list(List<String> paths, Found found) throws IOException {
      if (isDown) {
        throw new ConnectException("thrown by a test");
      }
      found.block("BP-" + namespace, 1, 10);
    }
  }

  /** The first may have begun before. */
  private void awaitTwoRounds() throws InterruptedException {
    long until = rounds.get() + 3;
    while (rounds.get() < until) {
      Thread.sleep(1);
    }
  }

  @Test
  public void oneNameNodeIsDown_blocksOfTheOtherAreLookedUp_itIsNamedAndAskedAgain() throws Exception {
    NameNode up = new NameNode("up", false);
    NameNode down = new NameNode("down", true);
    try (RuleKeeper keeper = keeper()) {
      keeper.start(() -> List.of(down, up), rounds::incrementAndGet);
      awaitTwoRounds();
      assertTrue(keeper.isLookedUp());
      assertEquals(List.of("down"), keeper.notListed());
      assertEquals(1, keeper.rules().blocks());

      down.isDown = false;
      awaitTwoRounds();
      assertEquals(List.of(), keeper.notListed());
      assertEquals(2, keeper.rules().blocks());
    }
  }

  @Test
  public void dataNodeServesOtherNameServices_theseAreAsked_blocksOfTheFormerAreForgotten()
      throws Exception {
    List<BlockLister> served = new CopyOnWriteArrayList<>(List.of(new NameNode("former", false)));
    try (RuleKeeper keeper = keeper()) {
      keeper.start(() -> List.copyOf(served), rounds::incrementAndGet);
      awaitTwoRounds();
      served.add(new NameNode("new", false));
      awaitTwoRounds();
      assertEquals(2, keeper.rules().blocks());

      served.set(0, new NameNode("down", true));
      awaitTwoRounds();
      assertEquals(List.of("down"), keeper.notListed());
      assertEquals(1, keeper.rules().blocks());
      assertEquals("a", keeper.rules().ofBlock(new BlockKey("BP-new", 1)).name());
    }
  }

  /** A pinned page of the one that is down may not be evicted as nobody's. */
  @Test
  public void start_oneNameNodeIsDown_pagesAreNotKnownUntilItIsUp_whichIsSoonSeen()
      throws Exception {
    NameNode down = new NameNode("down", true);
    try (RuleKeeper keeper = keeper(TimeUnit.HOURS.toMillis(1))) {
      keeper.start(() -> List.of(down, new NameNode("up", false)), () -> { });
      awaitLookUp(keeper);
      assertFalse(keeper.rules().knowsPages());
      down.isDown = false;
      while (!keeper.rules().knowsPages()) {
        Thread.sleep(1);
      }
      assertEquals("not given up", List.of(), keeper.notListed());
    }
  }

  @Test
  public void start_noPaths_nothingIsToBeLookedUp() throws Exception {
    try (RuleKeeper keeper =
        new RuleKeeper(null, 10, 1000, 1 << 16, new LocalCacheMetrics())) {
      keeper.start(List::of, () -> { });
      assertTrue(keeper.isLookedUp());
      assertTrue(keeper.rules().knowsPages());
    }
  }

  @Test
  public void allNameNodesAreDown_blocksAreNotLookedUp() throws Exception {
    for (List<BlockLister> all : List.<List<BlockLister>>of(List.of(new NameNode("a", true)),
        List.of(new NameNode("a", true), new NameNode("b", true)))) {
      try (RuleKeeper keeper = keeper()) {
        keeper.start(() -> all, rounds::incrementAndGet);
        awaitTwoRounds();
        assertFalse(keeper.isLookedUp());
        assertEquals(all.stream().map(BlockLister::namespace).toList(), keeper.notListed());
      }
    }
  }

  /** The others are known: a pin has its blocks. */
  @Test
  public void theOnlyNameNodeRefusesThePathOfARule_blocksAreLookedUp_itIsNamedAndAskedAgain()
      throws Exception {
    for (Exception refusal : List.of(TestRules.refusal(),
        new IllegalArgumentException("thrown by a test"))) {
      AtomicReference<Exception> refusesNow = new AtomicReference<>(refusal);
      NameNode nameNode = new NameNode("a", false) {
        @Override
        public void list(List<String> paths, Found found) throws IOException {
          if (paths.contains("/refused") && refusesNow.get() instanceof IOException e) {
            throw e;
          }
          if (paths.contains("/refused") && refusesNow.get() instanceof RuntimeException e) {
            throw e;
          }
          super.list(paths, found);
        }
      };
      Path file = folder.newFile().toPath();
      Files.writeString(file, "{\"rules\": ["
          + "{\"name\": \"r\", \"path\": \"/refused\", \"action\": \"always\"},"
          + "{\"name\": \"a\", \"path\": \"/a\", \"action\": \"always\"}]}");
      try (RuleKeeper keeper =
          new RuleKeeper(file, 10, 1000, 1 << 16, new LocalCacheMetrics())) {
        keeper.start(() -> List.of(nameNode), rounds::incrementAndGet);
        awaitTwoRounds();
        assertTrue(keeper.isLookedUp());
        assertEquals(List.of("a"), keeper.notListed());
        assertEquals("a", keeper.rules().ofBlock(new BlockKey("BP-a", 1)).name());
        assertFalse("a page of the refused path may be evicted", keeper.rules().knowsPages());

        refusesNow.set(null);
        awaitTwoRounds();
        assertEquals(List.of(), keeper.notListed());
        assertEquals("r", keeper.rules().ofBlock(new BlockKey("BP-a", 1)).name());
        assertTrue(keeper.rules().knowsPages());
      }
    }
  }

  /** Hadoop does not say so with an IOException. */
  @Test
  public void hostOfTheOnlyNameNodeIsUnknown_blocksAreNotLookedUp() throws Exception {
    NameNode nameNode = new NameNode("a", false) {
      @Override
      public void list(List<String> paths, Found found) {
        throw new IllegalArgumentException(new UnknownHostException("thrown by a test"));
      }
    };
    try (RuleKeeper keeper = keeper()) {
      keeper.start(() -> List.of(nameNode), rounds::incrementAndGet);
      awaitTwoRounds();
      assertFalse(keeper.isLookedUp());
      assertEquals(List.of("a"), keeper.notListed());
    }
  }

  private static void write(Path file, int rules) throws Exception {
    Files.writeString(file, IntStream.range(0, rules).mapToObj(i -> "{\"name\": \"r" + i
        + "\", \"client\": \"c" + i + "\", \"action\": \"never\"}")
        .collect(Collectors.joining(",", "{\"rules\": [", "]}")));
  }

  private KeptState kept() throws Exception {
    KeptState kept = new KeptState(
        List.of(), folder.getRoot().toPath().resolve("pins"), TimeUnit.MINUTES.toNanos(1));
    kept.open(List::of);
    return kept;
  }

  private static Pins pinTwo(RuleKeeper keeper, KeptState kept) throws Exception {
    Pins pins = new Pins(keeper, kept);
    pins.pin("/a", "1m", 4 << 20, 1 << 16);
    pins.pin("/b", "1m", 4 << 20, 1 << 16);
    return pins;
  }

  @Test
  public void unpin_savedPinsCannotBeRead_isNotSaidToBeNotPinned() throws Exception {
    KeptState kept = new KeptState(List.of(folder.getRoot().toPath().resolve("absent/dn")), null,
        TimeUnit.MINUTES.toNanos(1));
    kept.open(List::of);
    try (RuleKeeper keeper = new RuleKeeper(null, 10, 1000, 1 << 16, new LocalCacheMetrics())) {
      Pins pins = new Pins(keeper, kept);
      String why = assertThrows(BadRulesException.class, () -> pins.unpin("/a")).getMessage();
      assertTrue(why, why.contains("its SSD is missing"));
      assertTrue("not cut: " + why, why.endsWith(" in its place"));
    }
    assertEquals("", kept().unknown());
  }

  @Test
  public void pin_theNameNodeRefusesItsPath_isToldApartFromOthers() throws Exception {
    NameNode nameNode = new NameNode("ns", false) {
      @Override
      public void list(List<String> paths, Found found) throws IOException {
        if (paths.contains("/secret")) {
          throw TestRules.refusal();
        }
        super.list(paths, found);
      }
    };
    try (RuleKeeper keeper = new RuleKeeper(null, 10, 1000, 1 << 16, new LocalCacheMetrics())) {
      Pins pins = new Pins(keeper, kept());
      keeper.start(() -> List.of(nameNode), () -> { });
      pins.pin("/open", "1m", 4 << 20, 1 << 16);
      pins.pin("/secret", "1m", 4 << 20, 1 << 16);
      awaitLookUp(keeper);
      assertEquals(Map.of("/open", false, "/secret", true), pins.all().stream()
          .collect(Collectors.toMap(Pins.PinStatus::path, Pins.PinStatus::refused)));
    }
  }

  @Test
  public void unpin_makesRoomForTheFileThatWasRefused_itIsInForce() throws Exception {
    KeptState kept = kept();
    Path file = folder.newFile("rules.json").toPath();
    write(file, 60);
    try (RuleKeeper keeper = new RuleKeeper(file, 10, 1000, 1 << 16, new LocalCacheMetrics())) {
      Pins pins = pinTwo(keeper, kept);
      keeper.start(List::of, rounds::incrementAndGet);
      write(file, 63);
      awaitTwoRounds();
      assertEquals("as before", 62, keeper.rules().set().size());
      assertTrue(keeper.refusal(), keeper.refusal().contains("at most 64 are allowed"));
      pins.unpin("/a");
      assertEquals(64, keeper.rules().set().size());
      assertEquals("", keeper.refusal());
    }
  }

  /** The file grew while the DataNode was down: while it runs, the reload is refused. */
  @Test
  public void restart_moreRulesThanThereMayBeWithThePins_pinsStay_mendedFileBringsAllBack()
      throws Exception {
    KeptState kept = kept();
    Path file = folder.newFile("rules.json").toPath();
    write(file, 60);
    try (RuleKeeper keeper = new RuleKeeper(file, 10, 1000, 1 << 16, new LocalCacheMetrics())) {
      pinTwo(keeper, kept);
      assertEquals(62, keeper.rules().set().size());
    }
    write(file, RuleSet.MOST);
    LocalCacheMetrics metrics = new LocalCacheMetrics();
    try (RuleKeeper keeper = new RuleKeeper(file, 10, 1000, 1 << 16, metrics)) {
      Pins pins = new Pins(keeper, kept);
      assertEquals(2, pins.all().size());
      assertEquals(2, keeper.rules().set().size());
      assertEquals(1, metrics.total(Event.RULES_REFUSED));
      assertTrue(keeper.refusal(), keeper.refusal().contains("at most 64 are allowed"));
      assertThrows(BadRulesException.class, () -> pins.pin("/c", "1m", 4 << 20, 1 << 16));
      write(file, 62);
      keeper.reload();
      assertEquals(64, keeper.rules().set().size());
      assertEquals("", keeper.refusal());
    }
    write(file, RuleSet.MOST);
    try (RuleKeeper keeper = new RuleKeeper(file, 10, 1000, 1 << 16, metrics)) {
      Pins pins = new Pins(keeper, kept);
      pins.unpin("/a");
      assertEquals(1, keeper.rules().set().size());
      pins.unpin("/b");
      assertEquals("there is room for the file again", 64, keeper.rules().set().size());
      assertEquals("", keeper.refusal());
    }
  }
}
