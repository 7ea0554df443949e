/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** The releases of Java on which installed daemons run. */
final class Jvms {

  /** The one of the tests themselves, and of the build. */
  static final Path OWN = Path.of(System.getProperty("java.home"));

  private static final Path OLDER = Path.of(System.getProperty("jvms"));

  private Jvms() {
  }

  /**
   * Returns the JAVA_HOME of a release. Skips the test where it is not installed.
   *
   * @param release 8, 11 or 17; 17 stands for the own one, which may be newer
   */
  static Path home(String release) {
    if (release.equals("17")) {
      return OWN;
    }
    Path home = OLDER.resolve(release).toAbsolutePath();
    assumeTrue("no Java " + release + " in " + OLDER + ": dist/install-tools puts it there",
        Files.isExecutable(home.resolve("bin/java")));
    return home;
  }
}
