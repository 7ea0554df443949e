/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.file;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.hdfslocalcache.harness.Run;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestPageTree {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void delete_oneFileCannotBe_allOthersAreDeletedAndThatIsSaid() throws Exception {
    Path root = pages();
    Path stuck = root.resolve("7/block2/11");
    assumeTrue("files can be made immutable here",
        Run.tryTo("chattr", "+i", stuck.toString()));
    try {
      IOException e = assertThrows(IOException.class, () -> PageTree.delete(root));
      assertTrue(e.toString(), e.toString().contains(stuck.toString()));
      try (Stream<Path> left = Files.walk(root)) {
        assertEquals(List.of(stuck), left.filter(Files::isRegularFile).toList());
      }
      assertFalse(Files.exists(root.resolve("7/block1")));
    } finally {
      assertTrue(Run.tryTo("chattr", "-i", stuck.toString()));
    }
    PageTree.delete(root);
    assertFalse(Files.exists(root));
    PageTree.delete(root);
  }

  @Test
  public void deleteSome_deletesUntilThereIsRoom_passesOverWhatCannotBeDeleted() throws Exception {
    Path root = pages();
    assertEquals(3, PageTree.deleteSome(root, 250));
    assertEquals(97, files(root));
    assertEquals(0, PageTree.deleteSome(root.resolve("missing"), 250));
    Path stuck = root.resolve("7/block2/11");
    assumeTrue("files can be made immutable here", Run.tryTo("chattr", "+i", stuck.toString()));
    try {
      assertEquals(96, PageTree.deleteSome(root, Long.MAX_VALUE));
      assertEquals(1, files(root));
    } finally {
      assertTrue(Run.tryTo("chattr", "-i", stuck.toString()));
    }
  }

  /** @return a directory with 100 files of 100 bytes. */
  private Path pages() throws IOException {
    Path root = folder.newFolder("pages").toPath();
    for (int block = 0; block < 5; block++) {
      Path pages = Files.createDirectories(root.resolve("7/block" + block));
      for (int page = 0; page < 20; page++) {
        Files.write(pages.resolve(String.valueOf(page)), new byte[100]);
      }
    }
    return root;
  }

  private static long files(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile).count();
    }
  }
}
