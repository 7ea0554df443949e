/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The released artifacts that the patches are made for, known to be the right ones.
 *
 * @param jar classes of the release
 * @param sources sources of the same release
 * @param pages has the web pages of the same release, which are published among its tests alone
 */
record Upstream(Path jar, Path sources, Path pages) {

  private static final String LOCK = "upstream.lock";

  /**
   * Verifies the artifacts against the lock file.
   *
   * @param dir has the artifacts under their names in a Maven repository
   * @throws PatchException naming the artifact whose SHA-256 is not the locked one
   */
  static Upstream verified(Path patches, String version, Path dir) throws IOException {
    Path lock = patches.resolve(LOCK);
    String coordinates = "org.apache.hadoop:hadoop-hdfs:" + version;
    Path jar = dir.resolve("hadoop-hdfs-" + version + ".jar");
    Path sources = dir.resolve("hadoop-hdfs-" + version + "-sources.jar");
    Path pages = dir.resolve("hadoop-hdfs-" + version + "-tests.jar");
    verify(jar, locked(lock, coordinates));
    verify(sources, locked(lock, coordinates + ":sources"));
    verify(pages, locked(lock, coordinates + ":tests"));
    return new Upstream(jar, sources, pages);
  }

  private static String locked(Path lock, String coordinates) throws IOException {
    for (String line : Files.readAllLines(lock)) {
      String[] words = line.strip().split("\\s+");
      if (words.length == 2 && words[1].equals(coordinates)) {
        return words[0];
      }
    }
    throw new PatchException(LOCK, "has no line for " + coordinates);
  }

  private static void verify(Path artifact, String expected) throws IOException {
    String actual = sha256(Files.readAllBytes(artifact));
    if (!actual.equals(expected)) {
      throw new PatchException(artifact.getFileName().toString(),
          "SHA-256 is " + actual + ", " + LOCK + " says " + expected);
    }
  }

  /** Returns the SHA-256 as {@code sha256sum} prints it. */
  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
