/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.mount;

import java.io.IOException;
import java.nio.file.Path;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;

/**
 * A directory cannot be used for pages until an operator changes something. It applies to
 * configuration and commands.
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

  /** @return the same for a configured directory. */
  public BadConfigurationException ofConfiguration() {
    return new BadConfigurationException(LocalCacheKeys.DIRECTORIES, directory, allowed);
  }
}
