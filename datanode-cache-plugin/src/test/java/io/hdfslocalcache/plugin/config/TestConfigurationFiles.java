/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.rules.RuleKeeper;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.testing.ProjectFiles;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.BlockReaderInterceptor;
import org.junit.Test;

/** The documented keys match the code. */
public class TestConfigurationFiles {

  private static final Path CONF = ProjectFiles.of("conf");

  private static Configuration load(String file) {
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(CONF.resolve(file).toUri()));
    return conf;
  }

  @Test
  public void defaults_areThoseOfTheCode() throws Exception {
    Map<String, String> code = new TreeMap<>(LocalCacheKeys.defaults());
    code.putAll(RateLimiterFactory.keys());
    code.put(BlockReaderInterceptor.CLASS_KEY, "");

    String text = Files.readString(CONF.resolve("local-cache-default.xml"));
    code.keySet().forEach(key -> assertTrue(key, text.contains("<name>" + key + "</name>")));
    // Configuration has no keys with empty values.
    code.values().removeIf(String::isEmpty);
    Map<String, String> documented = new TreeMap<>();
    load("local-cache-default.xml")
        .forEach(entry -> documented.put(entry.getKey(), entry.getValue()));
    assertEquals(code, documented);
  }

  @Test
  public void rateLimiters_areNamed() throws Exception {
    String text = Files.readString(CONF.resolve("local-cache-default.xml"));
    String document = Files.readString(ProjectFiles.of("docs/admission.md"));
    for (String name : RateLimiterFactory.names()) {
      assertTrue(name, text.contains(name + ","));
      assertTrue(name, document.contains("| `" + name + "` |"));
    }
  }

  @Test
  public void example_isAccepted() throws Exception {
    LocalCacheConfig config = LocalCacheConfig.from(load("hdfs-site-example.xml"));
    assertTrue(config.enabled());
    assertEquals(2, config.directories().size());
    assertEquals(Capacity.ofBytes(1600L << 30), config.capacity());
  }

  @Test
  public void rulesExample_isAccepted() throws Exception {
    try (RuleKeeper keeper = new RuleKeeper(CONF.resolve("local-cache-rules-example.json"),
        1000, 1000, 1 << 16, new LocalCacheMetrics())) {
      assertEquals(5, keeper.rules().status().size());
      assertTrue(keeper.rules().asksForUser());
    }
  }
}
