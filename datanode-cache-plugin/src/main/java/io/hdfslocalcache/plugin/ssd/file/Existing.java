/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Tests what exists at a path. {@link Files#exists} and the like return false if the disk fails, so
 * that a disk which fails for a moment looks empty: these methods throw. They do not follow links.
 */
public final class Existing {

  private Existing() {
  }

  /**
   * @return whether there is a directory
   * @throws IOException if the disk fails, so that this is unknown
   */
  public static boolean isDirectory(Path path) throws IOException {
    BasicFileAttributes found = at(path);
    return found != null && found.isDirectory();
  }

  /**
   * @return whether there is a regular file
   * @throws IOException if the disk fails, so that this is unknown
   */
  public static boolean isFile(Path path) throws IOException {
    BasicFileAttributes found = at(path);
    return found != null && found.isRegularFile();
  }

  /**
   * @return whether there is anything
   * @throws IOException if the disk fails, so that this is unknown
   */
  public static boolean isAnything(Path path) throws IOException {
    return at(path) != null;
  }

  private static BasicFileAttributes at(Path path) throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    }
  }
}
