/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.health.HealthLimits;
import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

public class TestLocalCacheConfig {

  private static final String PREFIX = "dfs.datanode.local.cache.";

  private final Configuration conf = new Configuration(false);

  private void set(String key, String value) {
    conf.set(PREFIX + key, value);
  }

  /** Sets the keys without a default. */
  private void setRequired() {
    set("directories", "/ssd1/cache");
    set("capacity", "1t");
  }

  private void assertRefused(String key, String value, String allowed) {
    BadConfigurationException e =
        assertThrows(BadConfigurationException.class, () -> LocalCacheConfig.from(conf));
    String message = e.getMessage();
    assertTrue(message, message.startsWith(PREFIX + key
        + (value.isEmpty() ? " has no value" : " = " + value) + ": must "));
    assertTrue(message, message.contains(allowed));
    assertEquals(message, 1, message.lines().count());
  }

  @Test
  public void from_severalBadValues_areAllNamedInOneLine() {
    set("directories", "ssd");
    set("page.size", "60k");
    set("restore", "ture");
    String message = assertThrows(
        BadConfigurationException.class, () -> LocalCacheConfig.from(conf)).getMessage();
    assertEquals(message, 1, message.lines().count());
    String[] mistakes = message.split("; " + PREFIX);
    assertEquals(message, 4, mistakes.length);
    assertTrue(message, mistakes[0].startsWith(PREFIX + "directories = ssd: must be absolute"));
    assertTrue(message, mistakes[1].startsWith("capacity has no value: "));
    assertTrue(message, mistakes[2].startsWith("page.size = 60k: "));
    assertTrue(message, mistakes[3].startsWith("restore = ture: must be true or false"));
  }

  @Test
  public void from_badValue_isRefused() {
    String flag = "true or false";
    String bytes = "a number of bytes";
    String[][] keyAllowedValues = {
        {"endurance", "must be terabytes written such as 1200tbw, or drive writes per day and years "
            + "such as 1dwpd x 5y", "3dwpd", "1200", "1t", "-1tbw", "x"},
        {"fill.rate", "must be 0 (no limit), or at least 1048576 (1m) bytes per second",
            "-1", "1", "1048575", "512k"},
        {"enabled", flag, "ture", "yes", "1", ""},
        {"restore", flag, "ture", "yes", "1", ""},
        {"memory.size", "not be negative", "-1", "-1g"},
        {"memory.size", bytes, "", "10%", "much"},
        {"memory.directory", "an absolute path", "shm", "", "/s\0m"},
        {"page.size", "a multiple of 4096 bytes from 65536 (64k) to 8388608 (8m)",
            "0", "-4096", "4095", "5000", "60k", "8392704", "64m", "1t"},
        {"page.size", bytes, "big", "", "1x", "k", "9999999999t"},
        {"capacity", "at least 16 pages of 1 MB, 16 MB", "0", "-1g", "16777215"},
        {"capacity", bytes, "", "much", "1.5t", "t"},
        {"capacity", "a whole number from 1% to 100%, or a number of bytes",
            "0%", "101%", "-5%", "%", "1.5%", "x%"},
        {"reserved", "not be negative", "-1", "-1g"},
        {"reserved", bytes, "", "10%", "much"},
        {"directories", "absolute paths", "ssd/cache", "file:/ssd"}};
    for (String[] row : keyAllowedValues) {
      conf.clear();
      setRequired();
      for (String value : Arrays.copyOfRange(row, 2, row.length)) {
        set(row[0], value);
        assertRefused(row[0], value, row[1]);
      }
    }
  }

  private static HealthLimits limits(int deadlineSeconds) {
    return new HealthLimits(
        TimeUnit.SECONDS.toNanos(deadlineSeconds), TimeUnit.SECONDS.toNanos(10));
  }

  @Test
  public void from_nothingSet_isOffWithDefaults() throws Exception {
    assertEquals(new LocalCacheConfig(false, false, List.of(), List.of(), List.of(), true,
        Capacity.ofBytes(0), 1L << 30, 1 << 20, 4, 100L << 20, 1L << 30, Path.of("/dev/shm"), 32,
        limits(1), Endurance.UNKNOWN, true, TimeUnit.MILLISECONDS.toNanos(300)), LocalCacheConfig.from(conf));
  }

  @Test
  public void from_everythingSet_isTaken() throws Exception {
    set("enabled", "true");
    set("directories", " /ssd1/cache , /ssd2/./cache\n");
    set("require.mount", "false");
    set("capacity", "4t");
    set("reserved", "2g");
    set("page.size", "256k");
    set("fill.rate", "0");
    set("memory.size", "3g");
    set("memory.directory", " /mnt/./hot ");
    set("io.deadline", "2000");
    set("endurance", "1.2TBW");
    set("restore", "false");
    conf.set("dfs.datanode.slow.io.warning.threshold.ms", "0");
    List<Path> ssds = List.of(Path.of("/ssd1/cache"), Path.of("/ssd2/cache"));
    assertEquals(new LocalCacheConfig(true, false, ssds, ssds,
        List.of(), false, Capacity.ofBytes(4L << 40), 2L << 30, 256 << 10, 4,
        0, 3L << 30, Path.of("/mnt/hot"), 32, limits(2),
        new Endurance(1.2e12, 0), false, 0),
        LocalCacheConfig.from(conf));
  }

  @Test
  public void from_endurance_isForTheSsdOfAnySize() throws Exception {
    long ssd = 1_600_000_000_000L;
    assertEquals(0, LocalCacheConfig.from(conf).endurance().on(ssd));
    set("endurance", "8760 TBW");
    assertEquals(8_760_000_000_000_000L, LocalCacheConfig.from(conf).endurance().on(ssd));
    for (String drives : List.of("3dwpd x 5y", "3 DWPD x 5 y", "3.0dwpd x 5y")) {
      set("endurance", drives);
      assertEquals(8_760_000_000_000_000L, LocalCacheConfig.from(conf).endurance().on(ssd));
    }
  }

  @Test
  public void from_sizes_withAndWithoutSuffix() throws Exception {
    setRequired();
    set("page.size", "8192");
    Object[][] valueBytes = {{"131072", 131072L}, {"128k", 131072L}, {"128K", 131072L},
        {"3m", 3L << 20}, {"2g", 2L << 30}, {" 1t ", 1L << 40}};
    for (Object[] row : valueBytes) {
      set("capacity", (String) row[0]);
      assertEquals(Capacity.ofBytes((Long) row[1]), LocalCacheConfig.from(conf, 4096).capacity());
    }
    assertEquals(8192, LocalCacheConfig.from(conf, 4096).pageSize());
  }

  @Test
  public void from_wordsInAnyCase_areTaken() throws Exception {
    setRequired();
    set("enabled", "TRUE");
    assertTrue(LocalCacheConfig.from(conf).enabled());
    set("enabled", "False");
    assertFalse(LocalCacheConfig.from(conf).enabled());
  }

  @Test
  public void from_capacityInPercent_isAShareOfTheDisk() throws Exception {
    setRequired();
    for (String value : new String[] {"80%", " 80 % "}) {
      set("capacity", value);
      Capacity capacity = LocalCacheConfig.from(conf).capacity();
      assertEquals(Capacity.ofPercent(80), capacity);
      assertEquals(800, capacity.on(1000));
      assertEquals("80%", capacity.toString());
    }
    assertEquals(1000, Capacity.ofBytes(1000).on(50));
  }

  /** Changing one key must not depend on the other keys, or take over their values. */
  @Test
  public void capacityAlone_otherKeysAreWrongOrMissing_isReadAndChecked() throws Exception {
    set("memory.size", "much");
    set("capacity", "1g");
    assertEquals(Capacity.ofBytes(1 << 30), LocalCacheConfig.capacity(conf));
    set("page.size", "8m");
    set("capacity", "100m");
    assertThrows(BadConfigurationException.class, () -> LocalCacheConfig.capacity(conf));
    set("dry-run", "true");
    set("capacity", "50%");
    assertThrows(BadConfigurationException.class, () -> LocalCacheConfig.capacity(conf));
  }

  @Test
  public void from_directoriesButNoCapacity_isRefused() {
    set("directories", "/ssd");
    assertRefused("capacity", "", "a number of bytes");
  }

  @Test
  public void from_enabledWithoutDirectory_isRefused() {
    set("enabled", "true");
    assertRefused("directories", "", "at least one directory");
    set("directories", " , ");
    assertRefused("directories", ",", "at least one directory");
  }

  @Test
  public void from_oneBadDirectory_isNamed() {
    setRequired();
    set("directories", "/ssd1,ssd2");
    assertRefused("directories", "ssd2", "absolute paths");
    set("directories", "/s\0d");
    assertRefused("directories", "/s\0d", "absolute paths");
  }

  @Test
  public void from_directoriesThatOverlap_areRefused() throws Exception {
    set("capacity", "1t");
    set("directories", "/ssd,/other,/ssd/");
    assertRefused("directories", "/ssd/", "neither the same as, nor inside or around, another");
    set("directories", ",/ssd,,/other,");
    assertEquals(List.of(Path.of("/ssd"), Path.of("/other")), LocalCacheConfig.from(conf).directories());
    set("directories", "/ssd,/ssd");
    assertRefused("directories", "/ssd", "neither the same as, nor inside or around, another");
    set("directories", "/ssd,/ssd/deeper");
    assertRefused("directories", "/ssd/deeper", "(/ssd)");
    set("directories", "/ssd/deeper,/ssd/other/..");
    assertRefused("directories", "/ssd/other/..", "(/ssd/deeper)");
  }

  @Test
  public void from_directoriesWithACommonBeginning_areTaken() throws Exception {
    setRequired();
    set("directories", "/ssd1,/ssd10");
    assertEquals(2, LocalCacheConfig.from(conf).directories().size());
  }
}
