/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A series of its own for a release to which none applies, with the patches that do not apply as
 * commits to mend: what {@code refresh} does for a new release of Hadoop.
 */
final class Mending {

  private final Path patches;
  private final CustomRelease release;

  Mending(Path patches, CustomRelease release) {
    this.patches = patches;
    this.release = release;
  }

  /**
   * Lays out the series, if it is not there, and the repository.
   *
   * @param nearest the series that most of applies
   * @param out gets what {@code refresh} says of how to go on
   */
  void begin(SeriesTrial nearest, PrintStream out) throws IOException {
    String version = release.version();
    Path repository = patches.resolve("target/refresh-" + version);
    if (Files.exists(repository)) {
      out.println(repository + " is there: mend it to its last patch, then patches/refresh export "
          + version + ", then again. To begin anew, remove it.");
      return;
    }
    if (!nearest.version().equals(version)) {
      layOut(nearest);
    }
    out.print(refresh("unpack", version, release.sources().toAbsolutePath().toString()));
    out.println("Then the same patches/build-for once more.");
  }

  private void layOut(SeriesTrial nearest) throws IOException {
    String version = release.version();
    List<String> refused = nearest.refusedPatches();
    List<String> series = new ArrayList<>();
    series.add("# Patches for Hadoop " + version + ", made from those for " + nearest.version()
        + ".");
    for (Patch patch : nearest.series()) {
      String name = patch.name();
      if (!name.startsWith("common/") || refused.contains(name)) {
        name = "hadoop-" + version + name.substring(name.indexOf('/'));
        copy(patch.name(), name);
      }
      series.add(name);
    }
    Files.write(patches.resolve("series.hadoop-" + version), series);
  }

  private void copy(String from, String to) throws IOException {
    String text = Files.readString(patches.resolve(from), StandardCharsets.ISO_8859_1);
    Files.createDirectories(patches.resolve(to).getParent());
    Files.writeString(patches.resolve(to),
        text.replaceFirst("(?m)^Applies-To:.*$", "Applies-To: " + release.version()),
        StandardCharsets.ISO_8859_1);
  }

  /** It exits with 1 where a patch does not apply, which is why it is called. */
  private String refresh(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(patches.resolve("refresh").toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
