/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a release of hadoop-hdfs is compiled against, fetched by Maven. */
final class MavenClassPath {

  private static final String PLUGIN =
      "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";

  /** As in the build: Hadoop's parent names a repository that is not needed. */
  private static final String POM = """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <groupId>build-for</groupId>
        <artifactId>build-for</artifactId>
        <version>1</version>
        <repositories>
          <repository>
            <id>repository.jboss.org</id>
            <url>file:///dev/null</url>
            <releases><enabled>false</enabled></releases>
            <snapshots><enabled>false</enabled></snapshots>
          </repository>
        </repositories>
        <dependencies>
          <dependency>
            <groupId>org.apache.hadoop</groupId>
            <artifactId>hadoop-hdfs</artifactId>
            <version>VERSION</version>
            <type>pom</type>
          </dependency>
          <dependency>
            <groupId>org.apache.hadoop</groupId>
            <artifactId>hadoop-common</artifactId>
            <version>VERSION</version>
          </dependency>
          <dependency>
            <groupId>org.apache.hadoop</groupId>
            <artifactId>hadoop-hdfs-client</artifactId>
            <version>VERSION</version>
          </dependency>
        </dependencies>
      </project>
      """;

  private MavenClassPath() {
  }

  /**
   * Returns the class path around hadoop-hdfs of an Apache release.
   *
   * @param work a directory that is there
   * @throws PatchException if Maven does not know the release, or is not there
   */
  static String of(String version, Path work) throws IOException {
    Path pom = work.resolve("pom.xml");
    Path classPath = work.resolve("class.path");
    Path log = work.resolve("maven.log");
    Files.writeString(pom, POM.replace("VERSION", version));
    List<String> command = List.of("mvn", "-q", "-B", "-f", pom.toString(), PLUGIN,
        "-DexcludeTypes=pom", "-DincludeScope=compile", "-Dmdep.outputFile=" + classPath);
    int exit;
    try {
      exit = new ProcessBuilder(command).redirectErrorStream(true)
          .redirectOutput(log.toFile()).redirectInput(new File("/dev/null")).start().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    if (exit != 0) {
      throw new PatchException("mvn", "does not get what Hadoop " + version + " needs ("
          + firstError(log) + "): give --classpath \"$(hadoop classpath)\"");
    }
    return Files.readString(classPath).strip();
  }

  private static String firstError(Path log) throws IOException {
    return Files.readAllLines(log).stream().filter(line -> line.contains("[ERROR]")).findFirst()
        .orElse("no error").replaceFirst(".*\\[ERROR\\] *", "");
  }
}
