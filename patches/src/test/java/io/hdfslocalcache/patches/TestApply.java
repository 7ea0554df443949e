/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import static org.junit.Assert.assertEquals;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The script {@code apply}, for whoever builds Hadoop. */
public class TestApply {

  private static final Path PATCHED = Path.of("target/patched-sources");
  private static final String MAIN = "hadoop-hdfs-project/hadoop-hdfs/src/main";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path main;

  @Test
  public void apply_sourcesOfTheRelease_areAsTheBuildPatchesThem() throws Exception {
    main = folder.newFolder(MAIN.split("/")).toPath();
    Files.createDirectories(main.resolve("java"));
    String version = System.getProperty("hadoop.version");
    lay("target/upstream/hadoop-hdfs-" + version + "-sources.jar", main.resolve("java"));
    lay("target/upstream/hadoop-hdfs-" + version + "-tests.jar", main);

    assertEquals(0, apply(version));

    Map<String, String> expected = new TreeMap<>();
    files(PATCHED).forEach((path, text) ->
        expected.put(path.startsWith("webapps/") ? path : "java/" + path, text));
    assertEquals(expected, files(main));
  }

  @Test
  public void apply_unknownVersion_changesNothing() throws Exception {
    main = folder.newFolder(MAIN.split("/")).toPath();
    Files.createDirectories(main.resolve("java"));

    assertEquals(1, apply("9.9.9"));

    assertEquals(Map.of(), files(main));
  }

  private int apply(String version) throws Exception {
    return new ProcessBuilder("./apply", version, folder.getRoot().toString())
        .redirectErrorStream(true).redirectOutput(new File("target/apply.out")).start().waitFor();
  }

  /** Lays out those of the released files that are patched. */
  private static void lay(String released, Path root) throws IOException {
    try (ZipFile zip = new ZipFile(released)) {
      for (String path : files(PATCHED).keySet()) {
        ZipEntry entry = zip.getEntry(path);
        if (entry != null) {
          Files.createDirectories(root.resolve(path).getParent());
          try (InputStream in = zip.getInputStream(entry)) {
            Files.copy(in, root.resolve(path));
          }
        }
      }
    }
  }

  private static Map<String, String> files(Path root) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(root.relativize(file).toString(), Files.readString(file));
      }
    }
    return files;
  }
}
