/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.ssd.KeptState.Copy;
import io.hdfslocalcache.plugin.ssd.Versions.Part;
import io.hdfslocalcache.plugin.ssd.file.Existing;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The four files with the state of versions 1.0.0 and 1.0.1, now in {@link KeptState}. */
final class StateOfVersion1 {

  private static final Logger LOG = LoggerFactory.getLogger(StateOfVersion1.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SETTINGS = "settings.json";
  private static final String PINS = "pins.json";
  private static final String BUDGET = "admission";
  private static final String WRITTEN = "written";
  private static final List<String> FILES = List.of(SETTINGS, PINS, BUDGET, WRITTEN);
  /** All that can be in {@link #SETTINGS}: what is not there was dropped. */
  private static final List<String> KEYS = List.of(LocalCacheKeys.ENABLED,
      LocalCacheKeys.DIRECTORIES, LocalCacheKeys.CAPACITY, WriteBudgetRateLimit.BUDGET_KEY,
      BucketTimeRateLimit.THRESHOLD_KEY, BucketTimeRateLimit.WINDOW_KEY);

  private StateOfVersion1() {
  }

  /**
   * Reads the existing files; may wait for the disk. Skips files that cannot be parsed.
   *
   * @param sinceMillis skips files not written later
   * @throws IOException if the disk fails
   */
  static Copy read(Path root, long sinceMillis) throws IOException {
    boolean isAny = false;
    long written = 0;
    Map<String, Part> parts = new TreeMap<>();
    for (String name : FILES) {
      Path file = root.resolve(name);
      if (!Existing.isFile(file)) {
        continue;
      }
      isAny = true;
      long millis = Files.getLastModifiedTime(file).toMillis();
      if (millis <= sinceMillis) {
        continue;
      }
      // Unlike Files.readString, it takes any bytes.
      String content = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      try {
        switch (name) {
          case SETTINGS -> {
            JsonNode settings = settings(content);
            KEYS.forEach(key -> parts.put(key, new Part(millis, settings.get(key))));
          }
          case PINS -> parts.put(KeptState.PINS, new Part(millis, pins(content)));
          case BUDGET -> parts.put(KeptState.BUDGET, new Part(millis, budget(content)));
          default -> written = Long.parseLong(content.trim());
        }
      } catch (IOException | RuntimeException e) {
        LOG.warn("Local cache: {} is damaged, ignoring it: {}", file, e.toString());
      }
    }
    return new Copy(parts, written, isAny);
  }

  private static JsonNode settings(String json) throws IOException {
    return JSON.readTree(json).required("settings");
  }

  private static JsonNode pins(String json) throws IOException {
    ArrayNode pins = JSON.createArrayNode();
    JSON.readTree(json).required("rules").forEach(rule -> pins.addObject()
        .put("path", rule.required("path").asText())
        .put("quota", rule.required("quota").asLong()));
    return pins;
  }

  private static JsonNode budget(String properties) {
    ObjectNode budget = JSON.createObjectNode();
    properties.lines().map(line -> line.split("=")).forEach(
        pair -> budget.put(pair[0], Long.parseLong(pair[1])));
    return budget.without(List.of("Sequence", "Checksum"));
  }

  /** Deletes the files, which {@link KeptState} has taken over. */
  static void delete(Path root) throws IOException {
    LOG.info("Local cache: migrated {} of version 1.0 in {} to {}",
        FILES, root, KeptState.FILE);
    for (String name : FILES) {
      Files.deleteIfExists(root.resolve(name));
    }
  }
}
