/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Which files are loaded. */
public class TestSourceFile {

  private static final int ALL = 1000;

  @Rule
  public final TemporaryFolder temporary = new TemporaryFolder();

  private Path directory;

  @Before
  public void makeFiles() throws IOException {
    directory = temporary.getRoot().toPath();
    Files.createDirectories(directory.resolve("a/b"));
    for (int i = 0; i < 10; i++) {
      Files.write(directory.resolve("a/b/file" + i + ".jar"), new byte[100]);
      Files.write(directory.resolve("file" + i + ".pom"), new byte[10]);
    }
    Files.write(directory.resolve("empty.jar"), new byte[0]);
  }

  private List<SourceFile> choose(String suffix, int maxFiles, long maxBytes)
      throws IOException {
    return SourceFile.choose(directory, suffix, maxFiles, maxBytes);
  }

  @Test
  public void choose_all_findsSubdirectoriesButNoEmptyFile() throws IOException {
    List<SourceFile> files = choose("", ALL, ALL * ALL);
    assertEquals(20, files.size());
    assertTrue(files.stream().allMatch(file -> file.length() > 0));
    assertEquals(20, files.stream().map(SourceFile::inHdfs).distinct().count());
  }

  @Test
  public void choose_suffix_leavesOthersOut() throws IOException {
    List<SourceFile> files = choose(".jar", ALL, ALL * ALL);
    assertEquals(10, files.size());
    assertTrue(files.stream().allMatch(file -> file.length() == 100));
  }

  @Test
  public void choose_twice_isSameInSameOrder() throws IOException {
    assertEquals(choose("", ALL, ALL * ALL), choose("", ALL, ALL * ALL));
  }

  @Test
  public void choose_limits_areKept() throws IOException {
    assertEquals(3, choose("", 3, ALL * ALL).size());
    List<SourceFile> files = choose("", ALL, 250);
    assertTrue(files.stream().mapToLong(SourceFile::length).sum() <= 250);
    assertTrue("what does not fit is passed over", files.size() > 3);
  }

  @Test
  public void choose_noSuchDirectory_isError() {
    assertThrows(NoSuchFileException.class,
        () -> SourceFile.choose(directory.resolve("none"), "", ALL, ALL));
  }
}
