/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.admin.KeptSettings.Kept;
import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which SSDs are in use after a restart: one of the kept settings. */
final class KeptDirectories {

  private static final Logger LOG = LoggerFactory.getLogger(KeptDirectories.class);
  private static final String KEY = LocalCacheKeys.DIRECTORIES;

  private final KeptSettings kept;
  private final Configuration configured;

  KeptDirectories(KeptSettings kept, Configuration configured) {
    this.kept = kept;
    this.configured = configured;
  }

  /** @return the directories that were in use before the restart, or else those configured. */
  List<Path> restored(LocalCacheConfig config) {
    String value = kept.value(KEY);
    if (value == null) {
      return config.directories();
    }
    try {
      List<Path> restored = LocalCacheConfig.from(in(configured, value)).directories();
      LOG.info("Local cache: {} = {}, as kept", KEY, value);
      return restored;
    } catch (BadConfigurationException e) {
      LOG.error("Local cache: the kept directories cannot be used, those configured are: {}",
          e.getMessage());
      return config.directories();
    }
  }

  /** Keeps them, unless they are those configured. @throws IOException if that is not possible */
  void keep(List<Path> inUse) throws IOException {
    boolean isAsConfigured = new HashSet<>(inUse).equals(new HashSet<>(configured()));
    kept.put(KEY, isAsConfigured ? null : new Kept(join(inUse), configured.getTrimmed(KEY)));
  }

  /**
   * Makes sure that a restart finds what is kept when an SSD has gone.
   *
   * @param all the directories, of which it is one
   */
  void checkPlaceWithout(Path leaving, List<Path> all) throws IOException {
    if (kept.isOnSsd() && configured().contains(leaving) && configured().stream()
        .noneMatch(path -> all.contains(path) && !path.equals(leaving))) {
      throw new IOException(leaving + " is the last of the configured directories, where a restart "
          + "looks for settings and pins: set " + LocalCacheKeys.PINS_DIRECTORY + ", or configure "
          + "another directory, and restart the DataNode before you remove it");
    }
  }

  private List<Path> configured() {
    return Stream.of(configured.getTrimmedStrings(KEY)).map(name -> Path.of(name).normalize())
        .toList();
  }

  /** @return the configuration with these directories. */
  static Configuration in(Configuration conf, List<Path> directories) {
    return in(conf, join(directories));
  }

  private static Configuration in(Configuration conf, String directories) {
    Configuration changed = new Configuration(conf);
    changed.set(KEY, directories);
    return changed;
  }

  private static String join(List<Path> paths) {
    return String.join(",", paths.stream().map(Path::toString).toList());
  }
}
