/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.settings;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.settings.RuntimeSettings.SettingView;
import io.hdfslocalcache.plugin.ssd.KeptState;
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
  /** In a dry run, they stand for those that are configured. */
  private volatile List<Path> configuredDirectories = List.of();

  /** @param configured the configuration, whose changes drop saved settings */
  KeptSettings(Configuration configured) {
    this.configured = configured;
  }

  /**
   * Reads the saved settings and takes them over, the switch also when it is found later.
   *
   * @param newOnOff the switch, whose state is saved too
   * @param datanodeUuid names this DataNode's directory on each SSD
   * @param directories the SSDs that are configured; at least one
   */
  void open(KeptState newState, OnOff newOnOff, String datanodeUuid, List<Path> directories) {
    configuredDirectories = directories;
    state = newState;
    state.open(() -> directories().stream().map(ssd -> ssd.resolve(datanodeUuid)).toList());
    onOff = newOnOff;
    onOff.keepWith(this::keepSwitch, this::doubt, this::perhapsNewer);
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
    saved().forEach((key, setting) -> {
      if (!isAsConfigured(key, setting)) {
        LOG.info("Local cache: dropped saved {} = {}: the configured value has changed", key,
            setting.path(VALUE).asText());
        state.correct(key, before -> null);
      }
    });
  }

  private boolean isAsConfigured(String key, JsonNode setting) {
    return Objects.equals(
        setting.path(CONFIGURED).asText(null), configured.getTrimmed(key));
  }

  private Map<String, JsonNode> saved() {
    Map<String, JsonNode> saved = new TreeMap<>();
    state.names().stream().filter(name -> name.startsWith(LocalCacheKeys.PREFIX)).forEach(key -> {
      JsonNode setting = state.get(key);
      if (setting != null) {
        saved.put(key, setting);
      }
    });
    return saved;
  }

  /** @return the saved settings by key. */
  Map<String, String> all() {
    Map<String, String> all = new TreeMap<>();
    saved().forEach((key, setting) -> {
      if (isAsConfigured(key, setting)) {
        all.put(key, setting.path(VALUE).asText());
      }
    });
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
      state.change(key, before -> value == null ? null : JsonNodeFactory.instance.objectNode()
          .put(VALUE, value).put(CONFIGURED, configured.getTrimmed(key)));
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

  /** @return that other settings and pins may be saved than those that are known; else empty. */
  private String perhapsNewer() {
    // Not on those that a command has removed: it was meant.
    String ssds = state.perhapsNewer().keySet().stream().filter(directories()::contains)
        .map(Path::toString).collect(Collectors.joining(", "));
    return ssds.isEmpty() ? "" : "newer settings and pins may be saved on " + ssds;
  }

  /** @return that they may not be known, or a restart would not find them; empty if neither. */
  String doubt() {
    String unknown = unknown();
    return unknown.isEmpty() && state.isElsewhere() ? NOT_FOUND : unknown;
  }

  private List<Path> parsed(String list) throws BadConfigurationException {
    Configuration before = new Configuration(false);
    before.set(LocalCacheKeys.DIRECTORIES, list);
    return LocalCacheConfig.directories(before).stream()
        .map(directory -> path(directory.toString())).toList();
  }

  /** @return the path of that name, where the configured SSDs are: in a simulation elsewhere. */
  Path path(String name) {
    return configuredDirectories.get(0).getFileSystem().getPath(name);
  }

  /** @return the SSDs that a restart would use, as far as it is known what is saved. */
  List<Path> directories() {
    try {
      List<Path> saved = parsed(all().getOrDefault(LocalCacheKeys.DIRECTORIES, ""));
      return saved.isEmpty() ? configuredDirectories : saved;
    } catch (BadConfigurationException e) {
      // Only in a state that another version has saved.
      return configuredDirectories;
    }
  }

  /** @return whether these are the SSDs that a restart would use. */
  boolean isAsSaved(List<Path> inUse) {
    return list(inUse).equals(list(directories()));
  }

  /** @return the SSDs in use as a setting; empty if they are as configured, also after a restart. */
  Optional<SettingView> view(List<Path> inUse) {
    String now = list(inUse);
    String asConfigured = list(configuredDirectories);
    String later = list(directories());
    return now.equals(asConfigured) && later.equals(asConfigured) ? Optional.empty()
        : Optional.of(new SettingView(LocalCacheKeys.DIRECTORIES, now, asConfigured,
            later.equals(asConfigured) ? null : later));
  }

  private static String list(List<Path> directories) {
    return directories.isEmpty() ? "none"
        : String.join(",", directories.stream().map(Path::toString).sorted().toList());
  }

  /** Saves which SSDs are in use. @throws IOException if that is not possible */
  void putDirectories(List<Path> inUse) throws IOException {
    String value = list(inUse);
    try {
      // A restart would refuse those inside each other, which an SSD may have saved, and read names
      // with blanks or variables as others.
      String read = list(parsed(value));
      if (!read.equals(value)) {
        throw new IOException("a restart would read it as " + read);
      }
      put(LocalCacheKeys.DIRECTORIES, value.equals(list(configuredDirectories)) ? null : value);
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
