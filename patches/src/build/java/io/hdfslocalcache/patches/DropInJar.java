/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** Writes a released jar once more, with other classes in the place of the patched sources'. */
final class DropInJar {

  private final Path released;
  private final Set<String> touched;
  private final Path classes;

  /**
   * @param touched paths of the patched sources
   * @param classes what they were compiled to
   */
  DropInJar(Path released, Set<String> touched, Path classes) {
    this.released = released;
    this.touched = touched;
    this.classes = classes;
  }

  /**
   * Writes the jar.
   *
   * @param series names of the patches
   * @param attributes what to add to the main section of the manifest
   * @param target is there when all of it is written, and not before
   */
  void write(List<String> series, Map<String, String> attributes, Path target)
      throws IOException {
    Path unfinished = target.resolveSibling(target.getFileName() + ".new");
    Files.createDirectories(target.toAbsolutePath().getParent());
    try (ZipFile from = new ZipFile(released.toFile());
        OutputStream file = Files.newOutputStream(unfinished);
        ZipOutputStream to = new ZipOutputStream(file)) {
      ZipEntry manifest = from.getEntry(JarFile.MANIFEST_NAME);
      long time = manifest == null ? 0 : manifest.getTime();
      add(to, JarFile.MANIFEST_NAME, time);
      manifest(from, manifest, attributes).write(to);
      add(to, PatchBuild.APPLIED, time);
      to.write((String.join("\n", series) + "\n").getBytes(StandardCharsets.UTF_8));
      copyReleased(from, to);
      addCompiled(to, time);
    } catch (IOException e) {
      Files.deleteIfExists(unfinished);
      throw e;
    }
    Files.move(unfinished, target, StandardCopyOption.REPLACE_EXISTING);
  }

  private static Manifest manifest(ZipFile from, ZipEntry entry, Map<String, String> attributes)
      throws IOException {
    Manifest manifest = new Manifest();
    if (entry != null) {
      try (InputStream in = from.getInputStream(entry)) {
        manifest.read(in);
      }
    }
    manifest.getMainAttributes().putIfAbsent(
        Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.forEach(manifest.getMainAttributes()::putValue);
    return manifest;
  }

  private void copyReleased(ZipFile from, ZipOutputStream to) throws IOException {
    for (ZipEntry entry : Collections.list(from.entries())) {
      String name = entry.getName();
      if (!entry.isDirectory() && !name.equals(JarFile.MANIFEST_NAME)
          && !touched.contains(ReleasedClasses.sourceOf(name))) {
        add(to, name, entry.getTime());
        try (InputStream in = from.getInputStream(entry)) {
          in.transferTo(to);
        }
      }
    }
  }

  private void addCompiled(ZipOutputStream to, long time) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(classes)) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    for (Path file : files) {
      add(to, classes.relativize(file).toString(), time);
      Files.copy(file, to);
    }
  }

  private static void add(ZipOutputStream to, String name, long time) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(time);
    to.putNextEntry(entry);
  }

  /**
   * Lays out the content of the released jar for the compiler and the jar plugin to complete. Left
   * out are the classes of patched sources with all their inner classes: an inner class that the
   * patched source does not have any more must not survive.
   */
  static final class ReleasedClasses {

    private ReleasedClasses() {
    }

    /**
     * @param classes is emptied first
     * @param touched paths of the patched sources
     */
    static void unpack(Path jar, Path classes, Set<String> touched) throws IOException {
      Directories.recreate(classes);
      try (ZipFile released = new ZipFile(jar.toFile())) {
        for (ZipEntry entry : Collections.list(released.entries())) {
          if (!entry.isDirectory() && !touched.contains(sourceOf(entry.getName()))) {
            Path file = classes.resolve(entry.getName());
            Files.createDirectories(file.getParent());
            try (InputStream in = released.getInputStream(entry)) {
              Files.copy(in, file);
            }
          }
        }
      }
    }

    /** Returns the source that a class file comes from by Java's rule; other names unchanged. */
    static String sourceOf(String name) {
      return name.replaceFirst("(\\$[^/]*)?\\.class$", ".java");
    }
  }
}
