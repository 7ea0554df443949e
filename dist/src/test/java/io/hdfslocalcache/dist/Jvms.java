/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

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
   * @param release 8, 11, 17 or 25; 17 stands for the own one, which may be newer
   */
  static Path home(String release) throws IOException {
    if (release.equals("17")) {
      return OWN;
    }
    if (release.equals("25")) {
      return newer(release);
    }
    Path home = OLDER.resolve(release).toAbsolutePath();
    assumeTrue("no Java " + release + " in " + OLDER + ": dist/install-tools puts it there",
        Files.isExecutable(home.resolve("bin/java")));
    return home;
  }

  /** Returns the JVM options with which Hadoop runs, without Java's warnings. */
  static String options(Path home) {
    if (home.equals(OWN)) {
      return System.getProperty("hadoop.options");
    }
    // An older Java has nothing to open, and Java 8 does not know the option.
    return isRelease(home, "25") ? System.getProperty("hadoop.options")
        + " --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow" : "";
  }

  /** Returns a JVM from where Linux distributions, or the tools' script, install it. */
  private static Path newer(String release) throws IOException {
    try (Stream<Path> homes = Files.list(OWN.getParent())) {
      Optional<Path> found = Stream.concat(homes, Stream.of(OLDER.resolve(release).toAbsolutePath()))
          .filter(home -> isRelease(home, release)).findFirst();
      assumeTrue("no Java " + release + " beside " + OWN, found.isPresent());
      return found.get();
    }
  }

  private static boolean isRelease(Path home, String release) {
    try {
      return Files.readString(home.resolve("release"))
          .contains("JAVA_VERSION=\"" + release);
    } catch (IOException e) {
      // Not a JVM.
      return false;
    }
  }
}
