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

import io.hdfslocalcache.harness.SiteFile;
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
import io.hdfslocalcache.replay.recommend.Recommender.Tried;
import io.hdfslocalcache.replay.recommend.Recommender.Wish;
import io.hdfslocalcache.replay.simulate.Disk;
import io.hdfslocalcache.replay.trace.Trace;
import org.apache.hadoop.conf.Configuration;
import org.junit.BeforeClass;
import org.junit.Test;

/** What is recommended for a small host. */
public class TestRecommender {

  private static final long SSD = 40L << 30;
  private static final double TIGHT = 1;
  private static Trace trace;
  private static Recommendation tight;

  private static Recommendation recommend(long ssd, double drivesPerDay) throws Exception {
    return new Recommender(trace, new Wish(ssd, drivesPerDay, 2, 0), Disk.DEFAULT, 2, () -> { })
        .recommend();
  }

  @BeforeClass
  public static void generate() throws Exception {
    trace = Generator.generate(new Plan(Host.UBER.get(0).scaled(0.01), Kind.CHURN, SizeMix.LARGE,
        1));
    tight = recommend(SSD, TIGHT);
  }

  private static Map<String, String> keys() {
    return tight.wish().keys(tight.chosen().pageSize(), List.of("/ssd/0/a&b", "/ssd/1"));
  }

  /** Allowed means the same for every size and endurance, in the figures as in the limiter. */
  @Test
  public void recommend_whatIsAllowed_isKeptByAllThatIsTried() {
    double days = tight.stat().hours() / 24;
    for (List<Tried> tried : List.of(tight.sizes(), tight.endurances(), tight.pageSizes())) {
      for (Tried each : tried) {
        long beyondFilling = each.result().bytesWritten() - each.result().capacity();
        double allowed = each.estimate().allowed();
        assertTrue(each.toString(), beyondFilling
            <= 1.01 * allowed * days * tight.wish().ssdBytes(each.result().capacity()));
        assertTrue(!each.estimate().isSteady() || each.estimate().writes().high() <= allowed);
      }
    }
    assertTrue("or the test is about nothing",
        tight.sizes().stream().anyMatch(each -> each.estimate().isSteady()));
    assertEquals(tight.chosen().offload(), tight.endurances().get(2).result().offload(), 0);
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
      assertTrue(tight.clairvoyant().get(i).pageHitRate() >= tight.sizes().get(i).result().pageHitRate());
      assertTrue(i == 0
          || tight.admitAll().get(i).offload() >= tight.admitAll().get(i - 1).offload());
    }
    assertEquals(SSD, tight.wish().ssdBytes(tight.chosen().capacity()), 1);
  }

  @Test
  public void keys_fragment_isTakenByADataNode() throws Exception {
    String xml = "<configuration>" + SiteFile.properties(keys().entrySet()) + "</configuration>";
    Configuration conf = new Configuration(false);
    conf.addResource(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    LocalCacheConfig config = LocalCacheConfig.from(conf);
    assertTrue(config.enabled());
    assertEquals(Capacity.ofBytes(18L << 30), config.capacity());
    assertEquals("/ssd/0/a&b", config.directories().get(0).toString());
    assertEquals(tight.chosen().pageSize(), config.pageSize());
    RateLimiterFactory.create(RateLimiterConfig.of(conf::get), () -> 0).close();
  }
}
