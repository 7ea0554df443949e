/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

/** A vendor's Hadoop, and a copy of the patches to run {@code build-for} in. */
final class CustomHadoop {

  static final String DATASET =
      "org/apache/hadoop/hdfs/server/datanode/fsdataset/impl/FsDatasetImpl.java";
  static final String VERSION = "3.4.3.7.1";

  private static final Path RELEASES = Path.of("target/other-releases").toAbsolutePath();

  final Path patches;
  final Path made;
  private final Path directory;
  private Path errors;

  CustomHadoop(Path directory) throws IOException {
    this.directory = directory;
    this.patches = directory.resolve("source/patches");
    this.made = directory.resolve("made");
    Files.createDirectories(patches);
    Files.copy(Path.of("../pom.xml"), patches.resolveSibling("pom.xml"));
    for (String name : List.of("apply", "build-for", "refresh", "common", "lines", "src/build", "src/seam")) {
      copy(Path.of(name), patches.resolve(name));
    }
    try (Stream<Path> all = Files.list(Path.of("."))) {
      for (Path path : all.toList()) {
        if (path.getFileName().toString().matches("(series\\.)?hadoop-.*")) {
          copy(path, patches.resolve(path.getFileName()));
        }
      }
    }
  }

  static Path jar(String version) {
    return RELEASES.resolve("hadoop-hdfs-" + version + ".jar");
  }

  static Path sources(String version) {
    return RELEASES.resolve("hadoop-hdfs-" + version + "-sources.jar");
  }

  Path customJar() {
    return directory.resolve("hadoop-hdfs-" + VERSION + ".jar");
  }

  Path customSources() {
    return directory.resolve("hadoop-hdfs-" + VERSION + "-sources.jar");
  }

  /** Makes jar and sources of 3.4.3 with a change in one class, and with a version of its own. */
  void change(UnaryOperator<String> change) throws IOException {
    Files.copy(jar("3.4.3"), customJar());
    Files.copy(sources("3.4.3"), customSources());
    Path root = directory.resolve("changed");
    try (FileSystem zip = FileSystems.newFileSystem(customSources())) {
      String before = Files.readString(zip.getPath(DATASET));
      String after = change.apply(before);
      if (after.equals(before)) {
        throw new IllegalArgumentException("changes nothing");
      }
      Files.writeString(zip.getPath(DATASET), after);
      Files.createDirectories(root.resolve(DATASET).getParent());
      Files.writeString(root.resolve(DATASET), after);
    }
    Path classes = directory.resolve("changed-classes");
    // The class path of the build's own release has all that this source needs.
    String classPath = jar("3.4.3") + File.pathSeparator + System.getProperty("java.class.path");
    List<String> options = List.of("--release", "8", "-g", "-nowarn", "-proc:none", "-Xlint:none",
        "-cp", classPath, "-sourcepath", "", "-d", classes.toString(), root.resolve(DATASET).toString());
    Files.createDirectories(classes);
    if (ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new))
        != 0) {
      throw new IOException("does not compile");
    }
    try (FileSystem zip = FileSystems.newFileSystem(customJar());
        Stream<Path> all = Files.walk(classes)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        Path inside = zip.getPath(classes.relativize(file).toString());
        Files.write(inside, Files.readAllBytes(file));
      }
      Path properties =
          zip.getPath("META-INF/maven/org.apache.hadoop/hadoop-hdfs/pom.properties");
      Files.writeString(properties, "version=" + VERSION + "\n");
    }
  }

  /** Runs build-for. @return its exit code */
  int buildFor(Path sources, Path jar) throws Exception {
    return run("./build-for", "--sources", sources.toString(), "--release", jar.toString(),
        "--out", made.toString());
  }

  /** Runs a command in the directory of the patches. @return its exit code */
  int run(String... command) throws Exception {
    errors = Files.createTempFile(directory, "run", ".err");
    ProcessBuilder builder = new ProcessBuilder(command).directory(patches.toFile())
        .redirectOutput(out().toFile()).redirectError(errors.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    return process.waitFor();
  }

  /** What the last command printed. */
  String printed() throws IOException {
    return Files.readString(out(), StandardCharsets.UTF_8);
  }

  /** The error messages of the last command. */
  String complaint() throws IOException {
    return Files.readString(errors, StandardCharsets.UTF_8);
  }

  private Path out() {
    return directory.resolve("run.out");
  }

  /** All files of a jar by name. */
  static Map<String, byte[]> content(Path jar) throws IOException {
    Map<String, byte[]> content = new TreeMap<>();
    try (FileSystem zip = FileSystems.newFileSystem(jar);
        Stream<Path> all = Files.walk(zip.getPath("/"))) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        content.put(file.toString().substring(1), Files.readAllBytes(file));
      }
    }
    return content;
  }

  private static void copy(Path from, Path to) throws IOException {
    List<Path> all = new ArrayList<>();
    try (Stream<Path> walk = Files.walk(from)) {
      walk.forEach(all::add);
    }
    for (Path path : all) {
      Path target = to.resolve(from.relativize(path).toString());
      Files.createDirectories(target.getParent());
      if (Files.isRegularFile(path)) {
        Files.copy(path, target, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }
}
