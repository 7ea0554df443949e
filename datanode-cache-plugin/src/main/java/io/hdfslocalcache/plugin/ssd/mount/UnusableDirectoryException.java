/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.mount;

import java.io.IOException;
import java.nio.file.Path;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;

/**
 * A directory cannot be used for pages before an operator has changed something. It says nothing of
 * where the directory was named: in the configuration, or in a command.
 */
public final class UnusableDirectoryException extends IOException {

  private static final long serialVersionUID = 1L;

  private final String directory;
  private final String allowed;

  /** @param allowed what a directory must be, or what is wrong with this one */
  UnusableDirectoryException(Path directory, String allowed) {
    super(directory + ": " + allowed);
    this.directory = directory.toString();
    this.allowed = allowed;
  }

  /** @return the same of a directory that the configuration names. */
  public BadConfigurationException ofConfiguration() {
    return new BadConfigurationException(LocalCacheKeys.DIRECTORIES, directory, allowed);
  }
}
