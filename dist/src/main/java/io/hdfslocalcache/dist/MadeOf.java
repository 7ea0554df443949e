/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import java.io.IOException;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** Reads from a patched jar which original jar {@code patches/build-for} built it from. */
public final class MadeOf {

  private static final String REPLACES = "Local-Cache-Replaces";
  private static final String VERSION = "Local-Cache-Version";

  private MadeOf() {
  }

  /**
   * Prints the SHA-256 of the original, a space, and the version of the local cache. Exits with 1
   * if the jar does not have them.
   */
  public static void main(String[] args) {
    try (JarFile jar = new JarFile(args[0])) {
      Manifest manifest = jar.getManifest();
      Attributes main = manifest == null ? new Attributes() : manifest.getMainAttributes();
      if (main.getValue(REPLACES) == null || main.getValue(VERSION) == null) {
        System.exit(1);
      }
      System.out.println(main.getValue(REPLACES) + " " + main.getValue(VERSION));
    } catch (IOException e) {
      System.err.println(args[0] + ": " + e.getMessage());
      System.exit(1);
    }
  }
}
