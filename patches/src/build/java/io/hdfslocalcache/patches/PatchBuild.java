/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.hdfslocalcache.patches.DropInJar.ReleasedClasses;

/** The step of the build between fetching the released artifacts and compiling the sources. */
public final class PatchBuild {

  /** In the jar: the patches it was made with. Tells a patched jar from a released one. */
  static final String APPLIED = "META-INF/local-cache.series";

  private static final String USAGE =
      "usage: PatchBuild <patches dir> <hadoop version> <upstream dir> <sources dir> <classes dir>";

  private PatchBuild() {
  }

  public static void main(String[] args) {
    System.exit(run(List.of(args), System.out, System.err));
  }

  /**
   * Does the step.
   *
   * @param args where the patches are; which series; where the released jars are; where the
   *     patched sources go; where the released classes go. The last two are emptied first
   * @return exit code: 0, or 1 with the reason on {@code err}
   */
  static int run(List<String> args, PrintStream out, PrintStream err) {
    if (args.size() != 5) {
      err.println(USAGE);
      return 1;
    }
    try {
      Path patches = Path.of(args.get(0));
      String version = args.get(1);
      Upstream upstream = Upstream.verified(patches, version, Path.of(args.get(2)));
      List<Patch> series = readSeries(patches, version);
      Set<String> touched = SourceTree.create(upstream, Path.of(args.get(3)))
          .addSeam(patches).apply(series);
      Path classes = Path.of(args.get(4));
      ReleasedClasses.unpack(upstream.jar(), classes, touched);
      Files.write(classes.resolve(APPLIED), series.stream().map(Patch::name).toList());
      out.println(series.size() + " patches applied to " + touched.size() + " files of hadoop-hdfs "
          + version);
      return 0;
    } catch (IOException e) {
      err.println(e.getMessage() == null ? e.toString() : e.getMessage());
      return 1;
    }
  }

  private static List<Patch> readSeries(Path patches, String version) throws IOException {
    List<Patch> result = new ArrayList<>();
    for (String name : Series.readAll(patches).of(version)) {
      Patch patch = PatchParser.parse(patches, name);
      patch.checkAppliesTo(version);
      MarkerRule.check(patch);
      result.add(patch);
    }
    return result;
  }
}
