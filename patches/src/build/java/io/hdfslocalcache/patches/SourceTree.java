/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import io.hdfslocalcache.patches.FilePatch.FileLines;

/**
 * A directory with the patched sources and web pages, and no others: what the compiler finds there is
 * what must be compiled again.
 */
final class SourceTree {

  /** Our own sources, which the patched ones call, below the directory of the patches. */
  private static final String SEAM = "src/seam/java";

  /** Where web pages are in the artifact that has them, and below the root. */
  static final String PAGES = "webapps/";

  private final Upstream released;
  private final Path root;
  private final Set<String> touched = new TreeSet<>();

  private SourceTree(Upstream released, Path root) {
    this.released = released;
    this.root = root;
  }

  /** Empties the directory, or makes it. */
  static SourceTree create(Upstream upstream, Path root) throws IOException {
    Directories.recreate(root);
    return new SourceTree(upstream, root);
  }

  /**
   * Adds the sources of the seam, before patches are applied.
   *
   * @throws PatchException if Hadoop has a file of that name
   */
  SourceTree addSeam(Path patches) throws IOException {
    Path seam = patches.resolve(SEAM);
    try (ZipFile sources = new ZipFile(released.sources().toFile());
        Stream<Path> files = Files.walk(seam)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String path = seam.relativize(file).toString();
        if (sources.getEntry(path) != null) {
          throw new PatchException(SEAM + "/" + path,
              "is in " + released.sources().getFileName());
        }
        Files.createDirectories(root.resolve(path).getParent());
        Files.copy(file, root.resolve(path));
        touched.add(path);
      }
    }
    return this;
  }

  /**
   * Applies the patches in order.
   *
   * @return paths of all files in the tree, relative to its root
   * @throws PatchException if a patch does not apply exactly
   */
  Set<String> apply(List<Patch> series) throws IOException {
    List<PatchException> refused = new ArrayList<>();
    Set<String> all = apply(series, refused);
    if (!refused.isEmpty()) {
      throw refused.get(0);
    }
    return all;
  }

  /**
   * Applies what applies exactly, in order.
   *
   * @param refused gets a line for each hunk that does not, and for each file that is missing
   * @return paths of all files in the tree, relative to its root
   */
  Set<String> apply(List<Patch> series, List<PatchException> refused) throws IOException {
    try (ZipFile sources = new ZipFile(released.sources().toFile());
        ZipFile pages = new ZipFile(released.pages().toFile())) {
      for (Patch patch : series) {
        for (FilePatch file : patch.files()) {
          ZipFile from = file.path().startsWith(PAGES) ? pages : sources;
          apply(from, patch, file, refused);
        }
      }
    }
    return touched;
  }

  private void apply(ZipFile from, Patch patch, FilePatch file, List<PatchException> refused)
      throws IOException {
    try {
      file.applyTo(before(from, patch, file), refused).write(root);
      touched.add(file.path());
    } catch (PatchException e) {
      refused.add(e);
    }
  }

  private FileLines before(ZipFile from, Patch patch, FilePatch file) throws IOException {
    if (touched.contains(file.path())) {
      return FileLines.read(root, file.path());
    }
    ZipEntry entry = from.getEntry(file.path());
    if (entry == null) {
      throw new PatchException(patch.name(),
          file.path() + " is not in " + Path.of(from.getName()).getFileName());
    }
    try (InputStream in = from.getInputStream(entry)) {
      return new FileLines(file.path(), FileLines.split(in.readAllBytes()));
    }
  }
}
