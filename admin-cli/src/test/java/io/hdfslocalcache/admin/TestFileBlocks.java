/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.List;

import io.hdfslocalcache.admin.FileBlocks.FileBlock;
import io.hdfslocalcache.testing.DeleteAfterListing;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.Path;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** Which blocks the NameNode lists below a path. */
public class TestFileBlocks {

  private static LocalCacheCluster cluster;

  @BeforeClass
  public static void start() throws IOException {
    cluster = DeleteAfterListing.builder().start();
    for (int i = 0; i < 5; i++) {
      cluster.write("/w/a/" + i, 1000);
    }
    cluster.write("/w/b/c/f", 1000);
    cluster.write("/w/d", 1000);
    cluster.fs().mkdirs(new Path("/w/empty"));
  }

  @AfterClass
  public static void stop() {
    cluster.close();
  }

  private static List<String> listed(String path) throws IOException {
    return new FileBlocks(cluster.fs().getConf()).named(path, 100)
        .stream().map(FileBlock::path).toList();
  }

  @Test
  public void named_directoryIsDeletedMeanwhile_itsSiblingsAreListed() throws Exception {
    assertEquals(List.of("/w/a/0", "/w/a/1", "/w/a/2", "/w/a/3", "/w/a/4", "/w/b/c/f", "/w/d"),
        listed("/w"));
    DeleteAfterListing.delete(cluster.fs(), "/w/a");
    assertEquals(List.of("/w/a/0", "/w/a/1", "/w/b/c/f", "/w/d"), listed("/w"));
    assertTrue(DeleteAfterListing.isDone());
    assertEquals(List.of("/w/b/c/f", "/w/d"), listed("/w"));
  }

  @Test
  public void named_fileOrNoPath_isTold() throws Exception {
    assertEquals(List.of("/w/d"), listed("/w/d"));
    assertEquals(List.of(), listed("/w/empty"));
    assertEquals("/w/none: no such file or directory",
        assertThrows(IOException.class, () -> listed("/w/none")).getMessage());
  }
}
