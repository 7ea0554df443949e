/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.recommend;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.plugin.config.Capacity;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.replay.generate.Generator;
import io.hdfslocalcache.replay.generate.Plan;
import io.hdfslocalcache.replay.generate.Plan.Host;
import io.hdfslocalcache.replay.generate.Plan.Kind;
import io.hdfslocalcache.replay.generate.Plan.SizeMix;
import io.hdfslocalcache.replay.recommend.Recommender.Recommendation;
import io.hdfslocalcache.replay.recommend.Recommender.Wish;
import io.hdfslocalcache.replay.simulate.Disk;
import io.hdfslocalcache.replay.simulate.Limiter;
import io.hdfslocalcache.replay.simulate.Result;
import io.hdfslocalcache.replay.trace.Trace;
import org.apache.hadoop.conf.Configuration;
import org.junit.BeforeClass;
import org.junit.Test;

/** What is recommended for a small host. */
public class TestRecommender {

  private static final long SSD = 40L << 30;
  private static final long LARGE_SSD = 1L << 40;
  private static final double TIGHT = 1;
  private static Trace trace;
  private static Recommendation tight;

  private static Recommendation recommend(long ssd, double drivesPerDay) throws Exception {
    return new Recommender(trace, new Wish(ssd, drivesPerDay, 2), Disk.DEFAULT, 2, n -> { })
        .recommend();
  }

  @BeforeClass
  public static void generate() throws Exception {
    trace = Generator.generate(new Plan(Host.UBER.get(0).scaled(0.01), Kind.CHURN, SizeMix.LARGE,
        20 * 3_600_000L, 0.002, 0.3, 1), n -> { }, n -> { });
    tight = recommend(SSD, TIGHT);
  }

  private static Map<String, String> keys() {
    return SiteFragment.keys(tight, List.of("/ssd/0/a&b", "/ssd/1"));
  }

  @Test
  public void recommend_budget_isKeptAndWellSpent() {
    assertEquals(Limiter.writeBudget((long) tight.wish().bytesPerDay()), tight.limiter());
    double days = tight.stat().hours() / 24;
    assertTrue(tight.chosen().bytesWritten()
        <= tight.wish().capacity() + 1.01 * tight.wish().bytesPerDay() * days);
    List<Result> allowed =
        tight.limiters().stream().filter(r -> tight.wish().drivesPerDay(r) <= TIGHT).toList();
    double most = allowed.stream().mapToDouble(Result::offload).max().orElseThrow();
    assertTrue(tight.chosen().offload() >= most - 0.005);
    assertTrue(allowed.size() < tight.limiters().size());
  }

  /** On an SSD that is never full, there are fixed thresholds that write less. */
  @Test
  public void recommend_fixedThresholdWritesLessForTheSame_isTheLimiterWithABudget()
      throws Exception {
    Recommendation large = recommend(LARGE_SSD, TIGHT);
    assertTrue("a fixed threshold that writes less, within the budget", large.limiters().stream()
        .anyMatch(r -> r.limiter().equals(Limiter.BUCKET_TIME)
            && r.offload() >= large.chosen().offload() - 0.005
            && r.bytesWritten() < large.chosen().bytesWritten()
            && large.wish().drivesPerDay(r) <= TIGHT));
    assertEquals(Limiter.WRITE_BUDGET, large.chosen().limiter());
    assertEquals(Limiter.WRITE_BUDGET, large.limiter().className());
  }

  @Test
  public void recommend_largerBudget_bringsMore() throws Exception {
    Recommendation loose = recommend(SSD, 20);
    assertTrue(loose.chosen().offload() > tight.chosen().offload());
    assertTrue(loose.chosen().bytesWritten() > tight.chosen().bytesWritten());
  }

  @Test
  public void recommend_curves_bracketEachOther() {
    for (int i = 0; i < tight.sizes().size(); i++) {
      assertTrue(tight.clairvoyant().get(i).pageHitRate()
          >= tight.admitAll().get(i).pageHitRate());
      assertTrue(tight.clairvoyant().get(i).pageHitRate() >= tight.sizes().get(i).pageHitRate());
      assertTrue(i == 0
          || tight.admitAll().get(i).offload() >= tight.admitAll().get(i - 1).offload());
    }
    assertEquals(SSD, tight.wish().ssdBytes(tight.chosen()), 1);
  }

  @Test
  public void keys_fragment_isTakenByADataNode() throws Exception {
    String xml = "<configuration>" + SiteFragment.xml(keys()) + "</configuration>";
    Configuration conf = new Configuration(false);
    conf.addResource(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    LocalCacheConfig config = LocalCacheConfig.from(conf);
    assertTrue(config.enabled());
    assertEquals(Capacity.ofBytes(18L << 30), config.capacity());
    assertEquals("/ssd/0/a&b", config.directories().get(0).toString());
    assertEquals(tight.chosen().pageSize(), config.pageSize());
    RateLimiterFactory.create(RateLimiterConfig.of(conf::get), () -> 0).close();
  }

  @Test
  public void report_otherLimiterWithMoreOffload_saysWhyNotThat() {
    String text = RecommendationReport.of(tight, "trace.csv", keys(), "dn1").text();
    double most = tight.limiters().stream().mapToDouble(Result::offload).max().orElseThrow();
    assertTrue("or the test is about nothing", most > tight.chosen().offload() + 0.001);
    assertTrue(text, text.contains("times a day: it would last ")
        || text.contains("its threshold is fixed."));
    assertTrue(text, text.contains("dfs.datanode.local.cache.write.budget"));
    assertTrue(text, text.contains("Trace: trace.csv, "));
  }
}
