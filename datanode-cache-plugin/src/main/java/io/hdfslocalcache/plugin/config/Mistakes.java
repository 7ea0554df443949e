/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects what is wrong with a configuration, so that an operator sees all of it at once. */
public final class Mistakes {

  /** A set, because one value may be read for several others. */
  private final Set<String> found = new LinkedHashSet<>();

  /** Reads a part of the configuration. */
  @FunctionalInterface
  public interface Read<T> {
    /** Reads it. @throws BadConfigurationException if a value is not allowed */
    T read() throws BadConfigurationException;
  }

  /**
   * Reads a part of the configuration.
   *
   * @param otherwise stands for the part if it has a mistake, until {@link #throwIfAny}
   */
  public <T> T read(T otherwise, Read<T> part) {
    try {
      return part.read();
    } catch (BadConfigurationException e) {
      found.addAll(e.mistakes());
      return otherwise;
    }
  }

  /** Adds a mistake. @param mistake one line with key, value and what is allowed */
  public void add(String mistake) {
    found.add(mistake);
  }

  /** @return the mistakes found so far, a line each. */
  public List<String> lines() {
    return List.copyOf(found);
  }

  /** @throws BadConfigurationException with all mistakes in one line, if there are any */
  public void throwIfAny() throws BadConfigurationException {
    if (!found.isEmpty()) {
      throw all();
    }
  }

  /** @return the exception that names all mistakes in one line. */
  public BadConfigurationException all() {
    return new BadConfigurationException(found);
  }
}
