/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.hdfslocalcache.patches.Hunk.RefusedHunk;

/**
 * Makes the drop-in jar for a hadoop-hdfs that this build does not know: a vendor's, or one's own.
 * The script {@code build-for} starts it.
 */
public final class BuildFor {

  private static final String USAGE = "usage: BuildFor <patches dir> <local cache version>"
      + " <sources jar> <hadoop-hdfs jar> <directory for the jar> [<class path>]";

  private final Path patches;
  private final String ownVersion;
  private final PrintStream out;
  private final Path work;

  private BuildFor(Path patches, String ownVersion, PrintStream out, Path work) {
    this.patches = patches;
    this.ownVersion = ownVersion;
    this.out = out;
    this.work = work;
  }

  public static void main(String[] args) throws IOException {
    System.exit(run(List.of(args), System.out, System.err));
  }

  /**
   * Makes the jar.
   *
   * @param args see {@link #USAGE}; without a class path, Maven is asked for that of the Apache
   *     release with the same first three numbers
   * @return exit code: 0; 1 with the reason on {@code err}; 2 for wrong use
   */
  static int run(List<String> args, PrintStream out, PrintStream err) throws IOException {
    if (args.size() < 5 || args.size() > 6) {
      err.println(USAGE);
      return 2;
    }
    Path work = Files.createTempDirectory("build-for");
    try {
      CustomRelease release =
          CustomRelease.open(Path.of(args.get(3)), Path.of(args.get(2)));
      BuildFor build = new BuildFor(Path.of(args.get(0)), args.get(1), out, work);
      String classPath = args.size() == 6 ? args.get(5) : build.askMaven(release);
      return build.make(release, classPath, Path.of(args.get(4)));
    } catch (IOException e) {
      err.println("build-for: " + (e.getMessage() == null ? e.toString() : e.getMessage()));
      return 1;
    } finally {
      Directories.delete(work);
    }
  }

  private String askMaven(CustomRelease release) throws IOException {
    out.println("Asking Maven what Apache Hadoop " + release.apacheVersion() + " needs");
    return MavenClassPath.of(release.apacheVersion(), work);
  }

  private int make(CustomRelease release, String classPath, Path directory) throws IOException {
    Path target = directory.resolve("hadoop-hdfs-" + release.version() + ".jar");
    if (Files.exists(target) && Files.isSameFile(target, release.jar())) {
      throw new PatchException(target.toString(),
          "is the jar itself: name another directory with --out");
    }
    Javac javac = new Javac(release.javaRelease(), release.jar() + ":" + classPath);
    SourceCheck.check(release, patchedPaths(), javac, work);
    SeriesTrial trial = SeriesTrial.first(patches, release, work);
    if (!trial.refused().isEmpty()) {
      tell(release, trial);
      new Mending(patches, release).begin(trial, out);
      return 1;
    }
    Path classes = work.resolve("classes");
    javac.compile(trial.sources(), trial.touched(), classes);
    new DropInJar(release.jar(), trial.touched(), classes)
        .write(trial.series().stream().map(Patch::name).toList(), attributes(release), target);
    out.println("hadoop-hdfs " + release.version() + ": the patches for " + trial.version()
        + " apply; " + trial.touched().size() + " sources compiled for Java "
        + release.javaRelease());
    out.println(target.toAbsolutePath().normalize());
    out.println("On each host with just this hadoop-hdfs: install.sh install HADOOP_HOME --jar "
        + target.getFileName());
    return 0;
  }

  /** All that any series changes: what the sources have of it must be the jar's. */
  private Set<String> patchedPaths() throws IOException {
    Set<String> paths = new TreeSet<>();
    for (List<Patch> series : Series.readAll(patches).patches(patches).values()) {
      for (Patch patch : series) {
        patch.files().forEach(file -> paths.add(file.path()));
      }
    }
    return paths;
  }

  private Map<String, String> attributes(CustomRelease release) throws IOException {
    return Map.of("Local-Cache-Version", ownVersion,
        "Local-Cache-Replaces", Upstream.sha256(Files.readAllBytes(release.jar())));
  }

  private void tell(CustomRelease release, SeriesTrial trial) {
    out.println("hadoop-hdfs " + release.version() + ": no series applies as it is. Most of the"
        + " one for " + trial.version() + " does, but:");
    for (PatchException one : trial.refused()) {
      out.println(one.getMessage());
      if (one instanceof RefusedHunk hunk) {
        hunk.bothSides().forEach(out::println);
      }
    }
    out.println();
  }
}
