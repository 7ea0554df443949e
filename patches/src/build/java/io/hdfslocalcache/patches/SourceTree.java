/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A directory with the patched sources and web pages, and no others: what the compiler finds there is
 * what must be compiled again.
 */
final class SourceTree {

  /** Where web pages are in the artifact that has them, and below the root. */
  private static final String PAGES = "webapps/";

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
   * Applies the patches in order.
   *
   * @return paths of all files in the tree, relative to its root
   * @throws PatchException if a patch does not apply exactly
   */
  Set<String> apply(List<Patch> series) throws IOException {
    try (ZipFile sources = new ZipFile(released.sources().toFile());
        ZipFile pages = new ZipFile(released.pages().toFile())) {
      for (Patch patch : series) {
        for (FilePatch file : patch.files()) {
          ZipFile from = file.path().startsWith(PAGES) ? pages : sources;
          file.applyTo(before(from, patch, file)).write(root);
          touched.add(file.path());
        }
      }
    }
    return touched;
  }

  private FileLines before(ZipFile from, Patch patch, FilePatch file) throws IOException {
    ZipEntry entry = from.getEntry(file.path());
    boolean exists = entry != null || touched.contains(file.path());
    if (exists == file.isNew()) {
      throw new PatchException(patch.name(),
          file.path() + (exists ? " exists already" : " is not in " + Path.of(from.getName()).getFileName()));
    }
    if (touched.contains(file.path())) {
      return FileLines.read(root, file.path());
    }
    if (file.isNew()) {
      return new FileLines(file.path(), List.of(""));
    }
    try (InputStream in = from.getInputStream(entry)) {
      return new FileLines(file.path(), FileLines.split(in.readAllBytes()));
    }
  }
}
