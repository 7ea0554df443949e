/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;

import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import picocli.CommandLine.Option;

/** The whole demo, in short, on small files; and that it can fail. */
public class TestDemo {

  private static final int FILES = 12;
  private static final int CHANGED_OFFSET = 12_345;
  private static final long SEED = 7;

  @Rule
  public final TemporaryFolder temporary = new TemporaryFolder();

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Path files;
  private Path work;

  @Before
  public void makeFiles() throws IOException {
    files = temporary.newFolder("files").toPath();
    work = temporary.newFolder("work").toPath();
    Random random = new Random(SEED);
    for (int i = 0; i < FILES; i++) {
      byte[] bytes = new byte[20_000 + random.nextInt(3_000_000)];
      random.nextBytes(bytes);
      Files.write(files.resolve("file" + i), bytes);
    }
  }

  private int run(PrintStream stream, String... args) {
    PrintStream outBefore = System.out;
    PrintStream errBefore = System.err;
    System.setOut(stream);
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      return Demo.run(files, work, args);
    } finally {
      System.setOut(outBefore);
      System.setErr(errBefore);
    }
  }

  private static String text(ByteArrayOutputStream printed) {
    return printed.toString(StandardCharsets.UTF_8);
  }

  private void assertPrinted(String regex) {
    assertTrue(regex + " in:\n" + text(out) + text(err),
        text(out).lines().anyMatch(line -> line.matches(regex)));
  }

  @Test
  public void run_smallFiles_showsEveryStepAndLeavesNothing() throws Exception {
    int exitCode = run(new PrintStream(out, true, StandardCharsets.UTF_8),
        "--files", files.toString(), "--seconds", "5");
    assertEquals(text(out) + text(err), 0, exitCode);
    assertEquals("", text(err));
    assertPrinted("Loading 12 files, .*");
    assertPrinted(" +\\d+ s .* reads/s +reuse .* offload .* SSD .* disk .*");
    assertPrinted("\\$ hdfs dfsadmin -setLocalCache off");
    assertPrinted("127.0.0.1:\\d+: off \\(until the DataNode restarts\\)");
    assertPrinted("\\$ hdfs dfsadmin -setLocalCache on");
    assertPrinted("  while off: .* reads, 0 B from the SSD, .*");
    assertPrinted("reuse rate +\\d+\\.\\d % .*");
    assertPrinted("offload +\\d+\\.\\d % .*");
    assertPrinted("errors +0 .*");
    assertPrinted("wrong bytes +0");
    try (Stream<Path> left = Files.list(work)) {
      assertEquals(0, left.count());
    }
  }

  @Test
  public void run_sourceChangedAfterLoading_failsAndNamesFileAndOffset() throws Exception {
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8) {
      @Override
      public void println(String line) {
        super.println(line);
        if (line.contains("every byte is compared")) {
          changeAllFiles();
        }
      }
    };
    assertEquals(1, run(stream, "--files", files.toString(), "--seconds", "60"));
    assertTrue(text(err), text(err).matches("demo: /demo/\\d+ differs from " + files
        + "/file\\d+ at offset " + CHANGED_OFFSET + ": 0x.. in HDFS, 0x.. in the local file\n"));
    try (Stream<Path> left = Files.list(work)) {
      assertEquals(0, left.count());
    }
  }

  private void changeAllFiles() {
    for (int i = 0; i < FILES; i++) {
      try (RandomAccessFile file =
               new RandomAccessFile(files.resolve("file" + i).toFile(), "rw")) {
        file.seek(CHANGED_OFFSET);
        int before = file.read();
        file.seek(CHANGED_OFFSET);
        file.write(before ^ 1);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void assertRefused(String message, String... args) {
    assertFails(2, message, args);
  }

  private void assertFails(int exitCode, String message, String... args) {
    err.reset();
    assertEquals(exitCode, run(new PrintStream(out, true, StandardCharsets.UTF_8), args));
    assertTrue(text(err), text(err).startsWith("demo: ") && text(err).contains(message));
    assertEquals(1, text(err).lines().count());
  }

  @Test
  public void run_wrongOptions_areRefusedInOneLine() throws Exception {
    Path file = temporary.newFile().toPath();
    assertRefused("--files: /no/such does not exist", "--files", "/no/such");
    assertRefused("is not a directory", "--files", file.toString());
    assertRefused("is not a directory", "--ssd", file.toString());
    assertRefused("--seconds", "--seconds", "x");
    assertRefused("--seconds: must be at least 1", "--seconds", "0");
    assertRefused("Unknown option: '--bogus'", "--bogus");
    assertFails(1, "no file to load", "--files", temporary.newFolder("empty").toString());
    assertTrue(assertThrows(IOException.class, () -> Demo.checkSpace(files, Long.MAX_VALUE))
        .getMessage().startsWith("too little space at " + files));
  }

  @Test
  public void usage_namesEveryOption() throws IOException {
    String usage = Files.readString(Path.of("src/demo/usage.txt"));
    for (Field field : Demo.class.getDeclaredFields()) {
      Option option = field.getAnnotation(Option.class);
      if (option != null) {
        assertTrue(option.names()[0], usage.contains("\n  " + option.names()[0] + ' '));
        assertTrue(option.names()[0], option.defaultValue().startsWith("_")
            || usage.contains("(default: " + option.defaultValue() + ")"));
      }
    }
  }
}
