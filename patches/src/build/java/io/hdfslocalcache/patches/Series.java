/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All series files of the patches directory, one for each Hadoop line, in the format of quilt: a
 * patch per line, relative to the directory; empty lines and lines that start with # are ignored.
 *
 * @param byVersion names of the patches in the order in which they are applied
 */
record Series(Map<String, List<String>> byVersion) {

  private static final String PREFIX = "series.hadoop-";

  /**
   * Reads every series and holds it against the directory.
   *
   * @throws PatchException if a line names no file, names it twice or names one of another Hadoop
   *     line, or if a patch is in no series
   */
  static Series readAll(Path patches) throws IOException {
    Map<String, List<String>> byVersion = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(patches, PREFIX + "*")) {
      for (Path file : files) {
        String version = file.getFileName().toString().substring(PREFIX.length());
        byVersion.put(version, read(patches, file, version));
      }
    }
    refuseUnlisted(patches, byVersion.values());
    return new Series(byVersion);
  }

  /** Returns the names of the patches for one Hadoop release. */
  List<String> of(String version) throws PatchException {
    List<String> names = byVersion.get(version);
    if (names == null) {
      throw new PatchException(PREFIX + version, "there is no series for this Hadoop version");
    }
    return names;
  }

  /**
   * Reads the patches of every series.
   *
   * @return the patches in the order in which they are applied, by Hadoop release
   */
  Map<String, List<Patch>> patches(Path patches) throws IOException {
    Map<String, List<Patch>> result = new TreeMap<>();
    for (Map.Entry<String, List<String>> series : byVersion.entrySet()) {
      List<Patch> parsed = new ArrayList<>();
      for (String name : series.getValue()) {
        parsed.add(PatchParser.parse(patches, name));
      }
      result.put(series.getKey(), parsed);
    }
    return result;
  }

  private static List<String> read(Path patches, Path series, String version) throws IOException {
    List<String> names = new ArrayList<>();
    List<String> lines = Files.readAllLines(series);
    for (int i = 0; i < lines.size(); i++) {
      String name = lines.get(i).strip();
      if (name.isEmpty() || name.startsWith("#")) {
        continue;
      }
      String where = series.getFileName() + ":" + (i + 1);
      if (!name.matches("(common|hadoop-" + version.replace(".", "\\.") + ")/[^/]+\\.patch")) {
        throw new PatchException(where, name + " is not common/<name>.patch or hadoop-" + version
            + "/<name>.patch");
      }
      if (!Files.isRegularFile(patches.resolve(name))) {
        throw new PatchException(where, name + " does not exist");
      }
      if (names.contains(name)) {
        throw new PatchException(where, name + " is listed twice");
      }
      names.add(name);
    }
    return names;
  }

  private static void refuseUnlisted(Path patches, Collection<List<String>> all)
      throws IOException {
    try (DirectoryStream<Path> dirs =
        Files.newDirectoryStream(patches, "{common,hadoop-*}")) {
      for (Path dir : dirs) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(dir, "*.patch")) {
          for (Path file : files) {
            String name = dir.getFileName() + "/" + file.getFileName();
            if (all.stream().noneMatch(names -> names.contains(name))) {
              throw new PatchException(name, "is in no series");
            }
          }
        }
      }
    }
  }
}
