/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfslocalcache.plugin.ssd.KeptFile;

/**
 * The settings that operators keep over restarts, in a file. Changed by one
 * thread at a time, and read by any.
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

  private KeptFile file;
  private String broken = "there is no place to keep settings";
  private volatile Map<String, Kept> all = Map.of();

  /** Says where they are, before they are {@link #read}. */
  void open(KeptFile newFile) {
    file = newFile;
    broken = newFile.path() + " was not read";
  }

  /** @return whether there is a file that could not be read so far. */
  boolean isUnread() {
    return file != null && broken != null;
  }

  /**
   * Reads them. If that fails none can be kept, or it would overwrite those of before.
   *
   * @throws IOException if they cannot be read, or are of a later version
   */
  void read() throws IOException {
    try {
      byte[] json = file.read();
      all = json == null ? Map.of() : parse(JSON.readTree(json));
      broken = null;
    } catch (IOException | RuntimeException e) {
      broken = "the settings of before, in " + file.path() + ", cannot be used: " + e.getMessage();
      throw new IOException(broken, e);
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
  void put(String key, Kept kept) throws IOException {
    if (kept == null && !all.containsKey(key)) {
      return;
    }
    if (broken != null) {
      throw new IOException(broken);
    }
    Map<String, Kept> changed = new LinkedHashMap<>(all);
    changed.remove(key);
    if (kept != null) {
      changed.put(key, kept);
    }
    ObjectNode document = JSON.createObjectNode();
    document.put("comment", "written by hdfs localcache set --persist");
    document.put("format", FORMAT);
    ObjectNode settings = document.putObject("settings");
    changed.forEach((name, one) -> settings.putObject(name).put("value", one.value())
        .put("configured", one.configured()));
    file.write(JSON.writeValueAsBytes(document));
    all = changed;
  }
}
