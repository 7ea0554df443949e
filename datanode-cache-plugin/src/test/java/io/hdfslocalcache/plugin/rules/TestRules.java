/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.rules.PathLookup.Answers;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.plugin.ssd.space.PageEvictor;
import io.hdfslocalcache.plugin.ssd.space.StoredPage;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.Test;

/** Which rule matches which read, and which paths are remembered. */
public class TestRules {

  private static final BlockKey BLOCK = new BlockKey("BP-1", 7);
  private static final BlockKey OTHER = new BlockKey("BP-2", 7);
  private static final StoredPage PAGE = new StoredPage(
      "BP-1_blk_7_1001", 0, PageEvictor.Owner.NOBODY, 1, true);

  private static RuleSet parse(String... rules) throws BadRulesException {
    String json = "{'rules': [" + String.join(",", rules) + "]}";
    return RuleParser.parse("rules", json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static String rule(String name, String rest) {
    return "{'name': '" + name + "', " + rest + "}";
  }

  private static Rules rules(RuleSet set, int... withBlock) {
    Rules rules = new Rules();
    rules.use(set);
    BlockRules blocks = new BlockRules();
    for (int rule : withBlock) {
      blocks.add("BP-1", 7, 10, rule);
    }
    rules.resolved(set, "ns", blocks);
    return rules;
  }

  private static String name(RuleAccount account) {
    return account == null ? null : account.name();
  }

  @Test
  public void of_firstRuleThatFits_decides() throws Exception {
    Rules rules = rules(parse(
        rule("scan", "'client': 'DFSClient_attempt_*', 'path': '/w', 'action': 'never'"),
        rule("root", "'user': 'root', 'action': 'always'"),
        rule("w", "'path': '/w', 'action': 'pin', 'quota': '1m'")), 0, 2);
    assertEquals("scan", name(rules.of(BLOCK, "DFSClient_attempt_1", "root")));
    assertEquals("root", name(rules.of(BLOCK, "DFSClient_NONMAPREDUCE_1", "root")));
    assertEquals("w", name(rules.of(BLOCK, "DFSClient_NONMAPREDUCE_1", null)));
    assertNull(rules.of(OTHER, "DFSClient_attempt_1", "alice"));
    assertEquals("root", name(rules.of(OTHER, "x", "root")));
    assertEquals("w", name(rules.ofBlock(BLOCK)));
    assertNull(rules.ofBlock(OTHER));
  }

  @Test
  public void use_otherOrderOfRules_keepsTheirBlocksWithoutTheNameNode() throws Exception {
    String a = rule("a", "'path': '/a', 'action': 'always'");
    String b = rule("b", "'path': '/b', 'action': 'never'");
    Rules rules = rules(parse(a, b), 1);
    assertEquals("b", name(rules.ofBlock(BLOCK)));
    rules.use(parse(b, a));
    assertEquals("b", name(rules.ofBlock(BLOCK)));
    rules.use(parse(rule("b", "'path': '/c', 'action': 'never'"), a));
    assertNull("it has another path now", rules.ofBlock(BLOCK));
  }

  /** Its pages are assigned anew only after the next lookup. */
  @Test
  public void use_rulesOfTheSameNames_keepTheirAccounts() throws Exception {
    String a = rule("a", "'path': '/a', 'action': 'always', 'quota': '100'");
    Rules rules = rules(parse(a), 0);
    RuleAccount account = rules.ofBlock(BLOCK);
    account.added(60);
    account.reserve(30);
    rules.use(parse(rule("b", "'path': '/b', 'action': 'never'"), a));
    assertSame(account, rules.ofBlock(BLOCK));
    assertEquals("a 60", rules.status().get(1).name() + " " + rules.status().get(1).bytes());
    assertFalse(account.isExceeded());
    rules.use(parse(rule("a", "'path': '/a', 'action': 'pin', 'quota': '80'")));
    assertEquals(60, rules.status().get(0).bytes());
    assertTrue("with what is being written", rules.ofBlock(BLOCK).isExceeded());
    assertTrue(rules.ofBlock(BLOCK).isPinned());
  }

  @Test
  public void reserve_fails_reservesNothing() throws Exception {
    Rules rules = rules(parse(rule("a", "'path': '/a', 'action': 'always', 'quota': '100'")), 0);
    RuleAccount account = rules.ofBlock(BLOCK);
    SsdDirectory none = null;
    assertThrows(NullPointerException.class, () -> rules.reserve(account, none, 101));
    assertTrue(rules.reserve(account, none, 100));
  }

  @Test
  public void resolved_forRulesOfBefore_isDropped() throws Exception {
    RuleSet before = parse(rule("a", "'path': '/a', 'action': 'always'"));
    Rules rules = rules(before);
    rules.use(parse(rule("b", "'path': '/b', 'action': 'always'")));
    BlockRules late = new BlockRules();
    late.add("BP-1", 7, 10, 0);
    rules.resolved(before, "ns", late);
    assertNull(rules.ofBlock(BLOCK));
  }

  /** Has block 7 below /a, and block 8 below /b. */
  private static final class NameNode implements BlockLister {
    private final Set<String> refused = new HashSet<>();
    private boolean isDown;

    @Override
    public String namespace() {
      return "ns";
    }

    @Override
    public void list(List<String> paths, Found found) throws IOException {
      if (isDown) {
        throw new ConnectException("thrown by a test");
      }
      found.block("BP-1", paths.contains("/a") ? 7 : 8, 10);
      if (refused.contains(paths.get(0))) {
        throw refusal();
      }
    }
  }

  private final LocalCacheMetrics metrics = new LocalCacheMetrics();
  private final NameNode nameNode = new NameNode();

  private String blocks(Rules rules) {
    return rules.status().stream().map(rule -> rule.name() + " " + rule.replicas())
        .collect(Collectors.joining(", "));
  }

  @Test
  public void resolve_onePathIsRefused_itsRuleKeepsItsBlocks_othersAreListed() throws Exception {
    RuleSet set = parse(rule("a", "'path': '/a', 'action': 'always'"),
        rule("b", "'path': '/b', 'action': 'always'"));
    Rules rules = new Rules();
    rules.use(set);
    PathLookup lookup = new PathLookup(rules, 10, 1 << 16, metrics);
    nameNode.refused.add("/a");
    assertEquals(new Answers(List.of("ns"), Set.of("a"), true), lookup.resolve(set, List.of(nameNode)));
    assertEquals("a 0, b 1", blocks(rules));
    assertNull(rules.ofBlock(BLOCK));
    assertEquals(1, metrics.total(Event.RULES_LISTINGS_FAILED));

    nameNode.refused.clear();
    assertEquals(new Answers(List.of(), Set.of(), true), lookup.resolve(set, List.of(nameNode)));
    assertEquals("a 1, b 1", blocks(rules));
    nameNode.refused.add("/a");
    assertEquals(new Answers(List.of("ns"), Set.of("a"), true), lookup.resolve(set, List.of(nameNode)));
    assertEquals("a 1, b 1", blocks(rules));
    assertEquals("a", name(rules.ofBlock(BLOCK)));
    nameNode.isDown = true;
    assertEquals(new Answers(List.of("ns"), Set.of(), false), lookup.resolve(set, List.of(nameNode)));
    assertEquals("a 1, b 1", blocks(rules));
    assertEquals(3, metrics.total(Event.RULES_LISTINGS_FAILED));
  }

  @Test
  public void ownerOf_pathRule_takesPagesThatOthersBroughtIn() throws Exception {
    RuleSet set = parse(rule("w", "'path': '/w', 'action': 'always'"),
        rule("c", "'client': 'c', 'action': 'always'"));
    Rules rules = rules(set);
    RuleAccount byClient = rules.of(BLOCK, "c", null);
    assertSame(PageEvictor.Owner.NOBODY, rules.ownerOf(PAGE, PageEvictor.Owner.NOBODY));
    assertSame(byClient, rules.ownerOf(PAGE, byClient));

    rules = rules(set, 0);
    assertSame(rules.ofBlock(BLOCK), rules.ownerOf(PAGE, byClient));
    rules.use(RuleSet.NONE);
    assertSame(PageEvictor.Owner.NOBODY, rules.ownerOf(PAGE, byClient));
  }

  @Test
  public void status_hasWhatThePathsHave_whateverTheOrderOfRules() throws Exception {
    String a = rule("a", "'path': '/a', 'action': 'always'");
    String b = rule("b", "'path': '/b', 'action': 'never'");
    Rules rules = rules(parse(a, b), 1, 1);
    for (RuleSet set : List.of(parse(a, b), parse(b, a))) {
      rules.use(set);
      rules.status().forEach(status -> {
        assertEquals(status.name(), status.name().equals("b") ? 1 : 0, status.replicas());
        assertEquals(status.name(), status.name().equals("b") ? 10 : 0, status.neededBytes());
      });
    }
  }

  @Test
  public void blockRules_randomBlocks_areThoseOfAMap() {
    long seed = 9;
    Random random = new Random(seed);
    BlockRules blocks = new BlockRules();
    Map<BlockKey, Long> expected = new HashMap<>();
    for (int i = 0; i < 50_000; i++) {
      BlockKey key = new BlockKey("BP-" + random.nextInt(2), random.nextInt(20_000) - 5000);
      int rule = random.nextInt(12);
      blocks.add(key.blockPoolId(), key.blockId(), 10, rule);
      expected.merge(key, 1L << rule, (x, y) -> x | y);
    }
    assertEquals("seed " + seed, expected.size(), blocks.size());
    BlockRules shifted = blocks.renumbered(mask -> mask << 1);
    expected.forEach((key, mask) -> {
      assertEquals(mask.longValue(), blocks.of(key));
      assertEquals(mask << 1, shifted.of(key));
    });
    assertEquals(0, blocks.of(new BlockKey("BP-0", 20_000)));
    assertEquals(0, blocks.of(new BlockKey("BP-3", 1)));
  }

  @Test
  public void wildcards_randomNames_areThoseOfARegularExpression() {
    long seed = 4;
    Random random = new Random(seed);
    int matches = 0;
    for (int i = 0; i < 100_000; i++) {
      String pattern = random("ab*?", random);
      String name = random("ab", random);
      boolean expected = Pattern.matches(
          pattern.replace("*", ".*").replace("?", "."), name);
      assertEquals("seed " + seed + ": " + pattern + " " + name,
          expected, Rule.matches(pattern, name));
      matches += expected ? 1 : 0;
    }
    assertEquals("seed " + seed, true, matches > 1000);
  }

  private static String random(String letters, Random random) {
    StringBuilder text = new StringBuilder();
    for (int n = random.nextInt(8); n > 0; n--) {
      text.append(letters.charAt(random.nextInt(letters.length())));
    }
    return text.toString();
  }

  /** @return what a NameNode throws that does not let the DataNode list a path. */
  static IOException refusal() {
    return new RemoteException(AccessControlException.class.getName(), "thrown by a test")
        .unwrapRemoteException();
  }
}
