/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/**
 * A Hadoop in the layout of its distribution, made of the released jars, with a small launcher in
 * the place of Hadoop's scripts.
 */
final class HadoopTree {

  private static final Path SCRIPTS = Path.of("target/test-classes/tree");

  private HadoopTree() {
  }

  /**
   * Lays out one.
   *
   * @param home must not exist yet
   * @param released the hadoop-hdfs jar
   * @param classPath file with the class path of everything around that jar
   * @param webapps what the daemons' web servers need
   */
  static void create(Path home, Path released, Path classPath, Path webapps) throws IOException {
    Path common = Files.createDirectories(home.resolve("share/hadoop/common"));
    Path hdfs = Files.createDirectories(home.resolve("share/hadoop/hdfs"));
    Files.createDirectories(hdfs.resolve("lib"));
    Path lib = Files.createDirectories(common.resolve("lib"));
    for (String entry : Files.readString(classPath).strip().split(File.pathSeparator)) {
      Path jar = Path.of(entry);
      String name = jar.getFileName().toString();
      copy(jar, (name.startsWith("hadoop-hdfs") ? hdfs : name.startsWith("hadoop-common")
          ? common : lib).resolve(name));
    }
    copy(released, hdfs.resolve(released.getFileName()));
    copyTree(webapps, hdfs.resolve("webapps"));
    addScripts(home);
  }

  /** Adds the launcher and what it needs. */
  static void addScripts(Path home) throws IOException {
    copyTree(SCRIPTS, home);
    if (!home.resolve("bin/hdfs").toFile().setExecutable(true)) {
      throw new IOException(home + "/bin/hdfs cannot be made executable");
    }
  }

  static void copyTree(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.sorted().toList()) {
        Path target = to.resolve(from.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(target);
        } else {
          copy(path, target);
        }
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES,
        StandardCopyOption.REPLACE_EXISTING);
  }
}
