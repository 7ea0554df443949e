/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.settings;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.ssd.KeptState;
import io.hdfslocalcache.plugin.ssd.KeptState.Section;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings that survive a restart until their configured value changes, including the on/off
 * switch and the SSDs in use. Thread-safe.
 */
final class KeptSettings {

  private static final Logger LOG = LoggerFactory.getLogger(KeptSettings.class);
  private static final String NOT_KNOWN = "saved settings and pins are not known: ";
  private static final String NOT_FOUND = "a restart may not find what is saved now, nor the list of "
      + "SSDs: no SSD that " + LocalCacheKeys.DIRECTORIES + " names can be written";
  private static final String VALUE = "value";
  private static final String CONFIGURED = "configured";

  private final Configuration configured;
  private volatile KeptState state = KeptState.nowhere();
  private OnOff onOff;
  /** The saved list of the SSDs in use; null: as configured. */
  private volatile String directories;

  /** @param configured the configuration, whose changes drop saved settings */
  KeptSettings(Configuration configured) {
    this.configured = configured;
  }

  /**
   * Takes over the saved settings, and the switch also when they are found later.
   *
   * @param newOnOff the switch, whose state is saved too
   */
  void open(KeptState newState, OnOff newOnOff) {
    state = newState;
    onOff = newOnOff;
    onOff.keepWith(this::keepSwitch, this::doubt);
    state.onRead(this::takeOver);
    takeOver();
  }

  private void takeOver() {
    forgetWhatIsConfiguredAnew();
    String on = value(LocalCacheKeys.ENABLED);
    onOff.restore(on == null ? null : Boolean.valueOf(on));
  }

  private void keepSwitch(boolean on) throws IOException {
    String value = String.valueOf(on);
    keep(LocalCacheKeys.ENABLED,
        value.equals(configured.getTrimmed(LocalCacheKeys.ENABLED)) ? null : value);
  }

  private void forgetWhatIsConfiguredAnew() {
    JsonNode settings = state.get(Section.SETTINGS);
    if (settings != null) {
      settings.fields().forEachRemaining(setting -> {
        String key = setting.getKey();
        if (!isAsConfigured(key, setting.getValue())) {
          LOG.info("Local cache: dropped saved {} = {}: the configured value has changed", key,
              setting.getValue().path(VALUE).asText());
          state.correct(Section.SETTINGS, before -> with(before, key, null));
        }
      });
    }
  }

  private boolean isAsConfigured(String key, JsonNode setting) {
    return Objects.equals(
        setting.path(CONFIGURED).asText(null), configured.getTrimmed(key));
  }

  /** @return the saved settings by key, in the order of their commands. */
  Map<String, String> all() {
    return all(state.get(Section.SETTINGS));
  }

  private Map<String, String> all(JsonNode settings) {
    Map<String, String> all = new LinkedHashMap<>();
    if (settings != null) {
      settings.fields().forEachRemaining(setting -> {
        if (isAsConfigured(setting.getKey(), setting.getValue())) {
          all.put(setting.getKey(), setting.getValue().path(VALUE).asText());
        }
      });
    }
    return all;
  }

  /** @return the saved value of a key, or null if there is none. */
  String value(String key) {
    return all().get(key);
  }

  /**
   * Saves a setting, or drops it. Waits for an SSD, as long as a write may take.
   *
   * @param value null: drop it
   * @throws IOException if that is not possible; the previous settings stay saved
   */
  void put(String key, String value) throws IOException {
    boolean isNeeded = value != null || value(key) != null;
    if (!isNeeded && !state.isAnyWorking()) {
      return;
    }
    try {
      // Also if there is nothing to drop: an SSD that is away may have saved something, now older.
      state.change(Section.SETTINGS, before -> with(before, key, value));
    } catch (IOException e) {
      if (isNeeded) {
        throw e;
      }
    }
  }

  /**
   * As {@link #put}, but drops nothing while it is not known what was saved.
   *
   * @param value null: drop it
   * @throws IOException if that is not possible; the previous settings stay saved
   */
  void keep(String key, String value) throws IOException {
    String unknown = unknown();
    if (!unknown.isEmpty()) {
      throw new IOException(unknown);
    }
    put(key, value);
  }

  /** @return that saved settings and pins may not be known, and why; empty if they are. */
  String unknown() {
    String why = state.unknown();
    return why.isEmpty() ? "" : NOT_KNOWN + why;
  }

  /** @return that they may not be known, or a restart would not find them; empty if neither. */
  String doubt() {
    String unknown = unknown();
    return unknown.isEmpty() && state.isElsewhere() ? NOT_FOUND : unknown;
  }

  private ObjectNode with(JsonNode before, String key, String value) {
    ObjectNode changed = before == null ? JsonNodeFactory.instance.objectNode() : before.deepCopy();
    changed.remove(key);
    if (value != null) {
      changed.putObject(key).put(VALUE, value).put(CONFIGURED, configured.getTrimmed(key));
    }
    return changed;
  }

  /** @return the directories that saved settings name; none if they name none, or wrongly. */
  List<Path> directories(JsonNode settings) {
    try {
      return parsed(all(settings).get(LocalCacheKeys.DIRECTORIES));
    } catch (BadConfigurationException e) {
      return List.of();
    }
  }

  private static List<Path> parsed(String value) throws BadConfigurationException {
    Configuration before = new Configuration(false);
    before.set(LocalCacheKeys.DIRECTORIES, value == null ? "" : value);
    return LocalCacheConfig.directories(before);
  }

  /** @return the directories that were in use before the restart, or else those configured. */
  List<Path> directories(LocalCacheConfig config) {
    // A start that fails is tried again.
    directories = null;
    List<Path> saved = newDirectories();
    return saved == null ? config.directories() : saved;
  }

  /**
   * Looks whether saved settings name other SSDs than those in use: those configured, or those of the
   * last call.
   *
   * @return the SSDs that a restart would use; null if they are in use, or cannot be used
   */
  List<Path> newDirectories() {
    String value = value(LocalCacheKeys.DIRECTORIES);
    if (Objects.equals(value, directories)) {
      return null;
    }
    directories = value;
    try {
      return parsed(value == null ? configured.getTrimmed(LocalCacheKeys.DIRECTORIES) : value);
    } catch (BadConfigurationException e) {
      LOG.error("Local cache: cannot use the saved directories, so uses the others: {}",
          e.getMessage());
      return null;
    }
  }

  /** Saves which SSDs are in use. @throws IOException if that is not possible */
  void putDirectories(List<Path> inUse) throws IOException {
    boolean isAsConfigured = new HashSet<>(inUse).equals(
        new HashSet<>(parsed(configured.getTrimmed(LocalCacheKeys.DIRECTORIES))));
    String value = isAsConfigured ? null
        : String.join(",", inUse.stream().map(Path::toString).toList());
    try {
      put(LocalCacheKeys.DIRECTORIES, value);
      directories = value;
    } catch (IOException e) {
      throw new IOException("the list of SSDs cannot be saved, so nothing was changed: "
          + e.getMessage(), e);
    }
  }

  /** @return as {@link #doubt} after an SSD was added; waits as {@link #put}. */
  String notFound() {
    return state.isFound(root -> true) ? "" : NOT_FOUND;
  }

  /** Makes sure that a restart finds the saved settings after an SSD was removed. */
  void checkPlaceWithout(Path leaving) throws IOException {
    if (!state.isFound(root -> !root.startsWith(leaving))) {
      throw new IOException("without " + leaving + ", a restart might not find the saved settings and "
          + "pins: no other of the configured directories has them now; first use ssd replace for one that "
          + "is DOWN, or, while no device hangs, set " + LocalCacheKeys.PINS_DIRECTORY
          + " or configure a directory that is in use, and restart the DataNode");
    }
  }
}
