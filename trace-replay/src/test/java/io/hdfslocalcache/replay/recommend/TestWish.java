/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.recommend;

import static org.junit.Assert.assertEquals;

import java.util.List;
import java.util.Map;

import io.hdfslocalcache.replay.recommend.Recommender.Wish;
import io.hdfslocalcache.replay.simulate.Limiter;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import org.junit.Test;

/** From what an operator has to sizes, budgets and keys. */
public class TestWish {

  private static final long MB = 1 << 20;
  private static final long GB = 1 << 30;
  private static final int PAGE = 1 << 20;
  private static final String PREFIX = "dfs.datanode.local.cache.";

  @Test
  public void capacity_is90PercentOfEachSsd_inWholeGigabytes() {
    Wish wish = new Wish(3840 * GB, 1, 3, 0);
    assertEquals(1152 * GB, wish.capacityOfEach());
    assertEquals(3 * 1152 * GB, wish.capacity());
    assertEquals("rounded down", 450 * GB, new Wish(501 * GB, 1, 1, 0).capacityOfEach());
    assertEquals("what gets lost by rounding is of each", 2 * 225 * GB,
        new Wish(501 * GB, 1, 2, 0).capacity());
  }

  @Test
  public void capacity_smallSsd_isInWholeMegabytes() {
    assertEquals((long) (15 * 1024 * 0.9) * MB, new Wish(15 * GB, 1, 1, 0).capacityOfEach());
    assertEquals(16 * GB, new Wish(18 * GB, 1, 1, 0).capacityOfEach());
  }

  @Test
  public void budget_isOfAllSsdsTogether() {
    assertEquals(300.0 * GB, new Wish(100 * GB, 3, 4, 0).bytesPerDay(), 0);
    assertEquals(Limiter.writeBudget(50 * GB), Recommender.limiter(new Wish(100 * GB, 0.5, 1, 0)));
  }

  @Test
  public void keys_severalSsds_capacityAndBudgetAreForEach() {
    Wish wish = new Wish(400 * GB, 1.5, 4, 0);
    Map<String, String> keys = wish.keys(PAGE, List.of("/ssd/0", "/ssd/1", "/ssd/2", "/ssd/3"));
    assertEquals("90g", keys.get(PREFIX + "capacity"));
    assertEquals("150g", keys.get(PREFIX + "write.budget"));
    assertEquals("1m", keys.get(PREFIX + "page.size"));
    assertEquals("/ssd/0,/ssd/1,/ssd/2,/ssd/3", keys.get(PREFIX + "directories"));
    assertEquals("true", keys.get(PREFIX + "enabled"));
  }

  @Test
  public void keys_sizesThatAreNotRound_loseNothing() {
    Wish wish = new Wish(100 * GB + 7, 1, 1, 0);
    assertEquals(Long.toString(100 * GB + 7), wish.keys(PAGE, List.of("/ssd")).get(PREFIX + "write.budget"));
    assertEquals("512k", wish.keys(512 << 10, List.of("/ssd"))
        .get(PREFIX + "page.size"));
  }

  @Test
  public void settings_areEverySizeAndEveryPageSize() {
    List<Setting> settings = Recommender.settings(Simulated.WISH);
    assertEquals("all with the same endurance", List.of(Limiter.writeBudget(100 * GB / 8),
        Limiter.writeBudget(25 * GB)), settings.stream().limit(2).map(Setting::limiter).toList());
    assertEquals(9, settings.stream().distinct().count());
    long capacity = Simulated.WISH.capacity();
    assertEquals(List.of(capacity / 8, capacity / 4, capacity / 2, capacity, 2 * capacity,
        4 * capacity), settings.stream().filter(setting -> setting.pageSize() == PAGE)
        .map(Setting::capacity).toList());
    assertEquals(List.of(PAGE, PAGE / 2, 2 * PAGE, 4 * PAGE),
        settings.stream().filter(setting -> setting.capacity() == capacity)
            .map(Setting::pageSize).toList());
  }

  /** What a page size saves of the HDDs' time. */
  private record Saves(int pageSize, double share) {
  }

  private static int choose(double half, double usual, double twice) {
    return Recommender.choosePageSize(
        List.of(new Saves(PAGE / 2, half), new Saves(PAGE, usual), new Saves(2 * PAGE, twice)),
        Saves::pageSize, Saves::share).pageSize();
  }

  @Test
  public void choosePageSize_anotherThanTheDefault_onlyIfItIsWorthIt() {
    assertEquals("a point is not", PAGE, choose(0.505, 0.5, 0.509));
    assertEquals(2 * PAGE, choose(0.515, 0.5, 0.52));
    assertEquals(PAGE / 2, choose(0.53, 0.5, 0.52));
  }
}
