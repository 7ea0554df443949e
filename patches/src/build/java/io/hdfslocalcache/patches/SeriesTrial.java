/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A series, tried on sources that it may not have been made for. The web page is left out: a jar
 * has none.
 *
 * @param version the Hadoop release that the series is for
 * @param sources the patched sources
 * @param touched paths of the sources, relative to that directory
 * @param refused what does not apply; empty if all does
 */
record SeriesTrial(String version, List<Patch> series, Path sources, Set<String> touched,
    List<PatchException> refused) {

  /**
   * Tries one series after the other, newest first, until one applies as it is. One for just this
   * version comes before all others.
   *
   * @param work where patched sources go
   * @return the one that applies, else the one of which most does
   */
  static SeriesTrial first(Path patches, CustomRelease release, Path work) throws IOException {
    SeriesTrial best = null;
    Map<String, List<Patch>> all = Series.readAll(patches).patches(patches);
    for (String version : newestFirst(all.keySet(), release.version())) {
      SeriesTrial trial = of(patches, version, all.get(version), release, work.resolve(version));
      if (best == null || trial.refused.size() < best.refused.size()) {
        best = trial;
      }
      if (trial.refused.isEmpty()) {
        break;
      }
    }
    return best;
  }

  private static SeriesTrial of(Path patches, String version, List<Patch> series,
      CustomRelease release, Path root) throws IOException {
    List<Patch> ofSources = series.stream().filter(patch -> !patch.isOfPage()).toList();
    List<PatchException> refused = new ArrayList<>();
    Set<String> touched = SourceTree
        .create(new Upstream(release.jar(), release.sources(), release.sources()), root)
        .addSeam(patches).apply(ofSources, refused);
    return new SeriesTrial(version, ofSources, root, touched, refused);
  }

  private static List<String> newestFirst(Set<String> versions, String exact) {
    return versions.stream()
        .sorted(Comparator.comparing((String version) -> !version.equals(exact))
            .thenComparing(SeriesTrial::sortable, Comparator.reverseOrder()))
        .toList();
  }

  /** Each number with the same width, so that 3.10 comes after 3.9. */
  private static String sortable(String version) {
    return Pattern.compile("\\d+").matcher(version)
        .replaceAll(number -> String.format("%12s", number.group()));
  }

  /** Returns the names of the patches that do not apply as they are. */
  List<String> refusedPatches() {
    return series.stream().map(Patch::name)
        .filter(name -> refused.stream().anyMatch(one -> one.getMessage().startsWith(name + ":")))
        .toList();
  }
}
