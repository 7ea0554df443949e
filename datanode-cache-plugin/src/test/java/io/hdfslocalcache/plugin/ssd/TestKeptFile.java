/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

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
  private String kept;
  private Path keptIn;

  @Before
  public void nameIt() throws IOException {
    first = folder.newFolder("ssd0").toPath().resolve("uuid/kept");
    second = folder.newFolder("ssd1").toPath().resolve("uuid/kept");
  }

  /** Opens it as after a restart. */
  private void open() {
    file = new KeptFile("pins", List.of(first, second), true, TimeUnit.MINUTES.toNanos(1));
    file.open((content, path) -> {
      if ("unfit".equals(text(content))) {
        throw new IOException("not what is expected");
      }
      kept = text(content);
      keptIn = path;
    });
  }

  private static String text(byte[] content) {
    return content == null ? null : new String(content, StandardCharsets.UTF_8);
  }

  private void write(String content) throws IOException {
    file.write(content.getBytes(StandardCharsets.UTF_8));
  }

  /** Keeps something, in a file of which nobody knows any more. */
  private void writeBefore(String content) throws IOException {
    open();
    write(content);
  }

  private String read() {
    kept = null;
    open();
    return kept;
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
    writeBefore("one");
    assertEquals("one", Files.readString(first));
    assertEquals("one", Files.readString(second));
    assertEquals("one", read());
  }

  @Test
  public void read_oneSsdIsNew_theOtherHasIt() throws IOException {
    writeBefore("one");
    delete(first.getParent());
    assertEquals("one", read());
    assertEquals(second, keptIn);
  }

  @Test
  public void read_oneSsdWasAwayForAWrite_theLaterOneCounts() throws IOException {
    writeBefore("one");
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
  public void write_noFileWasFoundAndOneSsdIsNotThere_fails() throws IOException {
    delete(first.getParent().getParent());
    open();
    assertEquals("the pins of before, in " + first + ", cannot be used: their SSD is not there: no "
        + first.getParent().getParent(),
        assertThrows(IOException.class, () -> write("one")).getMessage());
  }

  @Test
  public void write_whatWasKeptCannotBeUsed_failsAndLeavesIt() throws IOException {
    writeBefore("unfit");
    Files.setLastModifiedTime(second, FileTime.fromMillis(1000));
    open();
    assertEquals("the pins of before, in " + first + ", cannot be used: not what is expected",
        assertThrows(IOException.class, () -> write("one")).getMessage());
    assertEquals("unfit", Files.readString(first));
  }

  @Test
  public void openAgain_theSsdWithTheFileHasCome_isReadAndCanBeWritten() throws IOException {
    writeBefore("one");
    Path away = folder.getRoot().toPath().resolve("away");
    Files.move(first.getParent().getParent(), away);
    delete(second.getParent());
    assertNull(read());
    assertFalse("still away", file.openAgain());
    Files.move(away, first.getParent().getParent());
    assertTrue(file.openAgain());
    assertEquals("one", kept);
    write("two");
    assertEquals("two", Files.readString(second));
  }

  @Test
  public void openAgain_anSsdHasComeWithoutTheFile_isWrittenThere() throws IOException {
    writeBefore("one");
    delete(second.getParent());
    assertFalse(file.openAgain());
    assertEquals("one", Files.readString(second));
  }

  @Test
  public void write_noSsdIsThere_fails() throws IOException {
    open();
    delete(first.getParent().getParent());
    delete(second.getParent().getParent());
    assertThrows(IOException.class, () -> write("one"));
  }

  @Test
  public void write_thereIsNoPlace_fails() {
    assertEquals("there is no place to keep pins", assertThrows(IOException.class,
        () -> KeptFile.nowhere("pins").write(new byte[1])).getMessage());
  }
}
