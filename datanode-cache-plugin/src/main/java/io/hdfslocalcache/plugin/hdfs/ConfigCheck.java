/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.config.UnknownKeys;
import io.hdfslocalcache.plugin.memory.MemoryLimits;
import io.hdfslocalcache.plugin.metrics.ErrorText;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.settings.RuntimeSettings;
import io.hdfslocalcache.plugin.ssd.file.Existing;
import io.hdfslocalcache.plugin.ssd.file.PrivateFiles;
import io.hdfslocalcache.plugin.ssd.mount.DirectoryCheck;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;
import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.BlockReaderInterceptor;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;

/**
 * Reads a configuration as the DataNode does when it starts, but on any host: looks only at
 * directories that this host has, as the user who asks, and leaves nothing behind.
 */
public final class ConfigCheck {

  private static final String NOT_HERE = ": does not exist on this host, and was not checked";

  private ConfigCheck() {
  }

  /**
   * Reads a configuration as the DataNode would.
   *
   * @param conf the DataNode's configuration
   * @param warnings gets what an operator should know, a line each; none if all is well
   * @return whether it would start with the local cache
   * @throws BadConfigurationException with the message with which the DataNode would not start, or
   *     if it would start without the local cache though that is to be on, or without an SSD
   */
  public static boolean check(Configuration conf, List<String> warnings)
      throws BadConfigurationException {
    warnings.addAll(UnknownKeys.of(conf));
    String interceptor = conf.getTrimmed(BlockReaderInterceptor.CLASS_KEY, "");
    if (interceptor.isEmpty() && conf.getBoolean(LocalCacheKeys.ENABLED, false)) {
      throw new BadConfigurationException(BlockReaderInterceptor.CLASS_KEY, interceptor, "must be "
          + LocalCacheInterceptor.class.getName() + " when " + LocalCacheKeys.ENABLED
          + " is true; the DataNode would start without the local cache");
    }
    if (!interceptor.isEmpty() && conf.getClassByNameOrNull(interceptor) == null) {
      throw new BadConfigurationException(BlockReaderInterceptor.CLASS_KEY, interceptor,
          "there is no such class; the local cache is " + LocalCacheInterceptor.class.getName());
    }
    StartConfig start = StartConfig.read(conf);
    DirectoryCheck.checkOutside(start.cache());
    new RuntimeSettings(conf, TimeAndThreads.get()::currentTimeMillis);
    String doubt = RuntimeSettings.doubt(conf, start.cache().pageSize());
    if (!doubt.isEmpty()) {
      warnings.add(WriteBudgetRateLimit.BUDGET_KEY + " = "
          + conf.getTrimmed(WriteBudgetRateLimit.BUDGET_KEY) + ": " + doubt);
    }
    if (start.rules().file() != null && !Files.exists(start.rules().file())) {
      warnings.add(LocalCacheKeys.RULES_FILE + " = " + start.rules().file() + NOT_HERE);
    } else {
      start.openRules(new LocalCacheMetrics()).close();
    }
    if (interceptor.isEmpty()) {
      return false;
    }
    if (!start.cache().dryRun()) {
      look(LocalCacheKeys.PINS_DIRECTORY, start.rules().pinsDirectory(),
          ConfigCheck::lookAtPins, warnings);
      look(LocalCacheKeys.MEMORY_DIRECTORY,
          start.cache().memoryBytes() == 0 ? null : start.cache().memoryDirectory(),
          ConfigCheck::lookAtMemory, warnings);
    }
    List<String> faults = DirectoryCheck.faults(start.cache(), warnings);
    if (!faults.isEmpty()) {
      throw new BadConfigurationException(String.join("; ", faults));
    }
    return true;
  }

  /** Warns of a directory without which the SSDs are used anyhow. @param directory null: none */
  private static void look(String key, Path directory, ConsumerRaisingIOE<Path> check,
      List<String> warnings) {
    try {
      if (directory != null) {
        check.accept(directory);
      }
    } catch (NoSuchFileException e) {
      warnings.add(key + " = " + directory + NOT_HERE);
    } catch (IOException e) {
      warnings.add(key + " = " + directory + ": " + ErrorText.of(e));
    }
  }

  private static void lookAtPins(Path directory) throws IOException {
    Path existing = Existing.isAnything(directory) ? directory : directory.getParent();
    if (!Existing.isAnything(existing)) {
      throw new NoSuchFileException(existing.toString());
    }
    try {
      PrivateFiles.tryToWrite(existing);
    } catch (IOException e) {
      throw PrivateFiles.notWritable(e);
    }
  }

  private static void lookAtMemory(Path directory) throws IOException {
    String trouble = MemoryLimits.trouble(directory);
    if (!trouble.isEmpty()) {
      throw new IOException(trouble + ", so that no page is kept in memory");
    }
  }
}
