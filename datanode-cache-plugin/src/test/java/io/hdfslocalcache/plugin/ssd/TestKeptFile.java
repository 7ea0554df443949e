/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A file that is the same on two SSDs. */
public class TestKeptFile {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path first;
  private Path second;
  private KeptFile file;

  @Before
  public void nameIt() throws IOException {
    first = folder.newFolder("ssd0").toPath().resolve("uuid/kept");
    second = folder.newFolder("ssd1").toPath().resolve("uuid/kept");
    file = new KeptFile(List.of(first, second), true, TimeUnit.MINUTES.toNanos(1));
  }

  private void write(String content) throws IOException {
    file.write(content.getBytes(StandardCharsets.UTF_8));
  }

  private String read() throws IOException {
    byte[] content = file.read();
    return content == null ? null : new String(content, StandardCharsets.UTF_8);
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(path);
      }
    }
  }

  @Test
  public void write_bothSsds_isOnEach() throws IOException {
    write("one");
    assertEquals("one", Files.readString(first));
    assertEquals("one", Files.readString(second));
    assertEquals("one", read());
  }

  @Test
  public void read_oneSsdIsNew_theOtherHasIt() throws IOException {
    write("one");
    delete(first.getParent());
    assertEquals("one", read());
    assertEquals(second, file.path());
  }

  @Test
  public void read_oneSsdWasAwayForAWrite_theLaterOneCounts() throws IOException {
    write("one");
    Path away = folder.getRoot().toPath().resolve("away");
    Files.move(first.getParent().getParent(), away);
    write("two");
    Files.move(away, first.getParent().getParent());
    Files.setLastModifiedTime(first, FileTime.fromMillis(1000));
    assertEquals("two", read());
  }

  @Test
  public void read_noFileOnAnySsd_isNull() throws IOException {
    Files.createDirectory(first.getParent());
    Files.createDirectory(second.getParent());
    assertNull(read());
  }

  /** It may be there: whoever took it for empty would overwrite it. */
  @Test
  public void read_noFileAndOneSsdIsNotThere_fails() throws IOException {
    delete(first.getParent().getParent());
    assertEquals("their SSD is not there: no " + first.getParent().getParent(),
        assertThrows(IOException.class, this::read).getMessage());
  }

  @Test
  public void write_noSsdIsThere_fails() throws IOException {
    delete(first.getParent().getParent());
    delete(second.getParent().getParent());
    assertThrows(IOException.class, () -> write("one"));
  }
}
