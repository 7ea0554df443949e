/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.ssd.KeptFile;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings that operators keep over restarts, in a file, until the configuration says something
 * new of them. For any thread.
 */
final class KeptSettings {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final int FORMAT = 1;

  /**
   * A setting that is kept.
   *
   * @param value what was commanded
   * @param configured what the configuration said then; null if nothing
   */
  record Kept(String value, String configured) {
  }

  private static final Logger LOG = LoggerFactory.getLogger(KeptSettings.class);

  private final Configuration configured;
  private KeptFile file = KeptFile.nowhere("settings");
  private OnOff onOff;
  private volatile Map<String, Kept> all = Map.of();

  /** @param configured what may say something new of them */
  KeptSettings(Configuration configured) {
    this.configured = configured;
  }

  /**
   * Takes over what was kept.
   *
   * @param newSwitch whose state is kept, too
   */
  synchronized void open(KeptFile newFile, OnOff newSwitch) {
    file = newFile;
    onOff = newSwitch;
    onOff.keepWith(this::keepSwitch);
    file.open(this::read);
  }

  /** An SSD has come. @return whether settings were read just now */
  synchronized boolean openAgain() {
    return file.openAgain();
  }

  private void keepSwitch(boolean on) {
    String value = String.valueOf(on);
    String inConfiguration = configured.getTrimmed(LocalCacheKeys.ENABLED);
    try {
      put(LocalCacheKeys.ENABLED,
          value.equals(inConfiguration) ? null : new Kept(value, inConfiguration));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "on or off cannot be kept, and is not changed: " + e.getMessage(), e);
    }
  }

  private void restoreSwitch() {
    String on = value(LocalCacheKeys.ENABLED);
    if (on != null) {
      onOff.restore(Boolean.parseBoolean(on));
    }
  }

  private void read(byte[] json, Path path) throws IOException {
    all = json == null ? Map.of() : parse(JSON.readTree(json));
    for (Map.Entry<String, Kept> setting : all.entrySet()) {
      forgetIfConfigured(setting.getKey(), setting.getValue());
    }
    restoreSwitch();
  }

  private void forgetIfConfigured(String key, Kept setting) throws IOException {
    if (!Objects.equals(setting.configured(), configured.getTrimmed(key))) {
      LOG.info("Local cache: {} = {} is not kept any more: the configuration says something new",
          key, setting.value());
      put(key, null);
    }
  }

  private static Map<String, Kept> parse(JsonNode document) throws IOException {
    if (document.path("format").asInt() != FORMAT || !document.path("settings").isObject()) {
      throw new IOException("expected format " + FORMAT + ", got: " + document.path("format"));
    }
    Map<String, Kept> read = new LinkedHashMap<>();
    document.path("settings").fields().forEachRemaining(setting -> read.put(setting.getKey(),
        new Kept(setting.getValue().path("value").asText(),
            setting.getValue().path("configured").asText(null))));
    return read;
  }

  /** @return whether they are on SSDs, and would be lost with all of these. */
  synchronized boolean isOnSsd() {
    return file.isOnSsd();
  }

  /** @return them by their keys, in the order in which they were commanded. */
  Map<String, Kept> all() {
    return all;
  }

  /** @return the value of a key that comes back with a restart, or null if it is not kept. */
  String value(String key) {
    Kept kept = all.get(key);
    return kept == null ? null : kept.value();
  }

  /**
   * Keeps a setting, or no longer.
   *
   * @param kept null: no longer
   * @throws IOException if that is not possible, and those of before are kept
   */
  synchronized void put(String key, Kept kept) throws IOException {
    if (kept == null && !all.containsKey(key)) {
      return;
    }
    Map<String, Kept> changed = new LinkedHashMap<>(all);
    changed.remove(key);
    if (kept != null) {
      changed.put(key, kept);
    }
    write(changed);
    all = changed;
  }

  private void write(Map<String, Kept> changed) throws IOException {
    ObjectNode document = JSON.createObjectNode();
    document.put("comment", "written by hdfs localcache with --persist, and ssd");
    document.put("format", FORMAT);
    ObjectNode settings = document.putObject("settings");
    changed.forEach((name, one) -> settings.putObject(name).put("value", one.value())
        .put("configured", one.configured()));
    file.write(JSON.writeValueAsBytes(document));
  }
}
