/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.config.Mistakes;
import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.plugin.config.UnknownKeys;
import io.hdfslocalcache.plugin.memory.MemoryLimits;
import io.hdfslocalcache.plugin.metrics.ErrorText;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.rules.RuleKeeper;
import io.hdfslocalcache.plugin.settings.RuntimeSettings;
import io.hdfslocalcache.plugin.ssd.mount.DirectoryCheck;
import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.BlockReaderInterceptor;

/**
 * Reads a configuration as the DataNode does when it starts, but on any host: looks only at
 * directories that this host has, and leaves nothing behind.
 */
public final class ConfigCheck {

  private static final String NOT_CHECKED = ": does not exist on this host, and was not checked";
  private static final String NO_MEMORY = ", so that no page is kept in memory";

  private final Configuration conf;
  private final String user;
  private final List<String> warnings = new ArrayList<>();
  private final Mistakes mistakes = new Mistakes();

  /**
   * What an operator should know.
   *
   * @param isUsed whether the DataNode would start with the local cache, if there are no mistakes
   * @param warnings a line each; none if all is well
   * @param mistakes all that stops the DataNode, or leaves it without the local cache though that
   *     is to be on, without an SSD, or unable to save its pins, and misspelt keys, a line each
   */
  public record Result(boolean isUsed, List<String> warnings, List<String> mistakes) {
  }

  private ConfigCheck(Configuration conf, String user) {
    this.conf = conf;
    this.user = user;
  }

  /**
   * Reads a configuration as the DataNode would.
   *
   * @param conf the DataNode's configuration
   * @param user the DataNode's user; null: not known
   */
  public static Result check(Configuration conf, String user) {
    ConfigCheck check = new ConfigCheck(conf, user);
    boolean isUsed = check.mistakes.read(false, check::isUsed);
    check.look(isUsed);
    UnknownKeys.of(conf).forEach(check.mistakes::add);
    return new Result(isUsed, List.copyOf(check.warnings), check.mistakes.lines());
  }

  private void look(boolean isUsed) {
    StartConfig start =
        mistakes.read(null, () -> StartConfig.read(conf, LocalCacheConfig.LEAST_PAGE_SIZE));
    mistakes.read(null,
        () -> new RuntimeSettings(conf, TimeAndThreads.get()::currentTimeMillis, error -> { }));
    if (!mistakes.lines().isEmpty()) {
      // Only a configuration without them says where to look.
      return;
    }
    warnings.addAll(RuntimeSettings.doubts(conf, start.cache().pageSize()));
    if (isUsed && !start.cache().enabled() && !start.cache().dryRun()) {
      warnings.add(LocalCacheKeys.ENABLED + " = false: the local cache is off until it is switched "
          + "on");
    }
    boolean isHere = isUsed && lookAtSsds(start.cache());
    lookAtRules(start, isHere);
    if (isUsed && !start.cache().dryRun()) {
      lookAtPins(start.rules().pinsDirectory(), isHere);
      lookAtMemory(start.cache(), isHere);
      lookAtTrace(start.trace().directory(), isHere);
    }
  }

  private boolean isUsed() throws BadConfigurationException {
    String interceptor = conf.getTrimmed(BlockReaderInterceptor.CLASS_KEY, "");
    if (!interceptor.isEmpty()) {
      return isUsable();
    }
    if (conf.getBoolean(LocalCacheKeys.ENABLED, false)) {
      throw new BadConfigurationException(BlockReaderInterceptor.CLASS_KEY, interceptor, "must be "
          + LocalCacheInterceptor.class.getName() + " when " + LocalCacheKeys.ENABLED
          + " is true; the DataNode would start without the local cache");
    }
    return false;
  }

  /** As the DataNode finds out. An interceptor does nothing before the DataNode starts it. */
  private boolean isUsable() throws BadConfigurationException {
    try {
      BlockReaderInterceptor.load(conf);
      return true;
    } catch (IOException e) {
      throw new BadConfigurationException(e.getMessage());
    }
  }

  /**
   * @return whether this host has one of them or a data directory, and so should have all that is
   *     configured
   */
  private boolean lookAtSsds(LocalCacheConfig config) {
    DirectoryCheck.Found found = DirectoryCheck.find(config, user);
    boolean isHere = found.isHere() || config.dataDirectories().stream()
        .anyMatch(data -> new File(data.getPath()).exists());
    found.faults().forEach(mistakes::add);
    found.absent().forEach((directory, words) -> {
      if (isHere) {
        mistakes.add(directory + " takes no page: " + words);
      } else {
        warnings.add(LocalCacheKeys.DIRECTORIES + " = " + directory + NOT_CHECKED);
      }
    });
    if (found.isHere() && user == null) {
      warnings.add("root may write everywhere, so it was not checked whether the DataNode's user "
          + "may: run sudo -u hdfs hdfs localcache check-config, or set HDFS_DATANODE_USER");
    }
    return isHere;
  }

  private void lookAtRules(StartConfig start, boolean isHere) {
    Path file = start.rules().file();
    if (file != null && !isHere && !Files.exists(file)) {
      warnings.add(LocalCacheKeys.RULES_FILE + " = " + file + NOT_CHECKED);
    } else {
      mistakes.read(null, () -> {
        try (RuleKeeper rules = start.openRules(new LocalCacheMetrics())) {
          if (rules.rules().asksForUser()
              && !conf.getBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, false)) {
            warnings.add(LocalCacheKeys.RULES_FILE + " = " + file + ": a rule with user matches no "
                + "reads, because " + DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY
                + " is not true");
          }
        }
        if (file != null && user != null && !isReadable(file)) {
          throw new BadConfigurationException(LocalCacheKeys.RULES_FILE, file.toString(),
              "must be readable by the DataNode's user " + user);
        }
        return null;
      });
    }
  }

  private boolean isReadable(Path file) {
    try {
      return DirectoryCheck.mayRead(file, user);
    } catch (IOException e) {
      return false;
    }
  }

  private void lookAtPins(Path directory, boolean isHere) {
    if (directory == null) {
      return;
    }
    if (!isHere && !Files.exists(directory)) {
      warnings.add(LocalCacheKeys.PINS_DIRECTORY + " = " + directory + NOT_CHECKED);
      return;
    }
    String trouble = DirectoryCheck.troubleToMake(directory, user);
    if (!trouble.isEmpty()) {
      mistakes.add(LocalCacheKeys.PINS_DIRECTORY + " = " + directory + ": " + trouble);
    }
  }

  /** Without it, SSDs are used anyhow. */
  private void lookAtMemory(LocalCacheConfig config, boolean isHere) {
    if (config.memoryBytes() == 0) {
      return;
    }
    String name = LocalCacheKeys.MEMORY_DIRECTORY + " = " + config.memoryDirectory();
    try {
      String trouble = MemoryLimits.trouble(config.memoryDirectory());
      long most = Files.getFileStore(config.memoryDirectory()).getTotalSpace();
      if (!trouble.isEmpty()) {
        warnings.add(name + ": " + trouble + NO_MEMORY);
      } else if (most < config.memoryBytes()) {
        warnings.add(LocalCacheKeys.MEMORY_SIZE + " = " + Sizes.text(config.memoryBytes(), most)
            + ": " + config.memoryDirectory() + " has only "
            + Sizes.text(most, config.memoryBytes()));
      }
    } catch (NoSuchFileException e) {
      warnings.add(name + (isHere ? ": does not exist" + NO_MEMORY : NOT_CHECKED));
    } catch (IOException e) {
      warnings.add(name + ": " + ErrorText.of(e));
    }
  }

  /** Only a trace needs it, which is begun by command. */
  private void lookAtTrace(Path directory, boolean isHere) {
    if (isHere && !conf.getTrimmed(LocalCacheKeys.TRACE_DIRECTORY, "").isEmpty()) {
      String trouble = DirectoryCheck.troubleToMake(directory, user);
      if (!trouble.isEmpty()) {
        warnings.add(LocalCacheKeys.TRACE_DIRECTORY + " = " + directory + ": " + trouble);
      }
    }
  }
}
