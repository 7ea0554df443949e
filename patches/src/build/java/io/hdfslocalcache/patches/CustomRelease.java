/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * A hadoop-hdfs of a vendor or of one's own, with the sources it is said to be made of.
 *
 * @param version as the jar has it: {@code 3.4.3.7.1} for one that was made of 3.4.3
 * @param javaRelease the Java release whose class files are in the jar
 */
record CustomRelease(Path jar, Path sources, String version, int javaRelease) {

  private static final String DATANODE = "org/apache/hadoop/hdfs/server/datanode/DataNode";
  private static final String PROPERTIES =
      "META-INF/maven/org.apache.hadoop/hadoop-hdfs/pom.properties";
  private static final String DEFAULTS = "hdfs-default.xml";
  private static final Pattern NAME = Pattern.compile("hadoop-hdfs-(\\d.*)\\.jar");

  /** Class files of Java 1 have the major version 45. */
  private static final int BEFORE_JAVA_1 = 44;

  /**
   * Looks at what is given.
   *
   * @throws PatchException if one of them is not what it should be
   */
  static CustomRelease open(Path jar, Path sources) throws IOException {
    try (ZipFile released = zip(jar); ZipFile given = zip(sources)) {
      if (released.getEntry(DATANODE + ".class") == null) {
        throw new PatchException(jar.toString(), "is not a hadoop-hdfs jar: it has no "
            + DATANODE + ".class");
      }
      if (released.getEntry(PatchBuild.APPLIED) != null) {
        throw new PatchException(jar.toString(), "is patched already: give the jar it was made of");
      }
      if (given.getEntry(DATANODE + ".java") == null) {
        throw new PatchException(sources.toString(),
            "has not the sources of hadoop-hdfs: it has no " + DATANODE + ".java");
      }
      refuseOtherDefaults(jar, released, sources, given);
      return new CustomRelease(jar, sources, version(jar, released), javaRelease(released));
    }
  }

  /** Returns the numbers of the Apache release that it was made of, as far as they can be told. */
  String apacheVersion() {
    Matcher numbers = Pattern.compile("\\d+\\.\\d+\\.\\d+").matcher(version);
    return numbers.lookingAt() ? numbers.group() : version;
  }

  /** Every version has its own list of keys, also where the patched classes are the same. */
  private static void refuseOtherDefaults(Path jar, ZipFile released, Path sources, ZipFile given)
      throws IOException {
    ZipEntry here = given.getEntry(DEFAULTS);
    ZipEntry there = released.getEntry(DEFAULTS);
    if (here != null && there != null
        && (here.getSize() != there.getSize() || here.getCrc() != there.getCrc())) {
      throw new PatchException(sources.toString(), "has not the sources of " + jar
          + ": it has another " + DEFAULTS);
    }
  }

  private static ZipFile zip(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new PatchException(file.toString(), "no such file");
    }
    try {
      return new ZipFile(file.toFile());
    } catch (ZipException e) {
      throw new PatchException(file.toString(), "is not a jar: " + e.getMessage());
    }
  }

  private static String version(Path jar, ZipFile released) throws IOException {
    ZipEntry entry = released.getEntry(PROPERTIES);
    if (entry != null) {
      Properties properties = new Properties();
      try (InputStream in = released.getInputStream(entry)) {
        properties.load(in);
      }
      return properties.getProperty("version");
    }
    Matcher name = NAME.matcher(jar.getFileName().toString());
    if (!name.matches()) {
      throw new PatchException(jar.toString(), "does not say its version: name it"
          + " hadoop-hdfs-VERSION.jar");
    }
    return name.group(1);
  }

  private static int javaRelease(ZipFile released) throws IOException {
    try (InputStream in = released.getInputStream(released.getEntry(DATANODE + ".class"))) {
      byte[] head = in.readNBytes(8);
      return (Byte.toUnsignedInt(head[6]) << 8 | Byte.toUnsignedInt(head[7])) - BEFORE_JAVA_1;
    }
  }
}
