/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;

import io.hdfslocalcache.replay.demo.Demo.DemoOptions;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What the command line may be, and what is said about one that may not. */
public class TestDemoOptions {

  private static final long MB = 1 << 20;

  @Rule
  public final TemporaryFolder temporary = new TemporaryFolder();

  private Path directory;

  @Before
  public void makeDirectory() {
    directory = temporary.getRoot().toPath();
  }

  private void assertRefused(String message, String... args) {
    ParameterException refused =
        assertThrows(ParameterException.class, () -> DemoOptions.parse(directory, args));
    assertTrue(refused.getMessage(), refused.getMessage().contains(message));
    assertEquals(1, refused.getMessage().lines().count());
  }

  @Test
  public void parse_nothing_isDefaults() {
    DemoOptions options = DemoOptions.parse(directory);
    assertEquals(directory, options.files);
    assertEquals(".jar", options.suffix());
    assertEquals(60, options.seconds);
    assertEquals(4, options.readers);
    assertEquals(3, options.threshold);
    assertEquals(75 * MB, options.capacity(100 * MB));
    assertEquals("never less than works", 16 * MB, options.capacity(1));
  }

  @Test
  public void parse_everything_isTaken() {
    DemoOptions options = DemoOptions.parse(null, "--files", directory.toString(),
        "--seconds", "1", "--readers", "2", "--ssd", directory.toString(),
        "--capacity", "17m", "--threshold", "0");
    assertEquals("", options.suffix());
    assertEquals(1, options.seconds);
    assertEquals(2, options.readers);
    assertEquals(directory, options.ssd);
    assertEquals(17 * MB, options.capacity(100 * MB));
    assertEquals(0, options.threshold);
  }

  @Test
  public void parse_badValue_isRefusedInOneLine() throws IOException {
    Path file = temporary.newFile().toPath();
    assertRefused("--files: /no/such does not exist", "--files", "/no/such");
    assertRefused("is no directory", "--files", file.toString());
    assertRefused("is no directory", "--ssd", file.toString());
    assertRefused("--seconds", "--seconds", "x");
    assertRefused("--seconds: must be from 1 to", "--seconds", "0");
    assertRefused("--readers: must be from 1 to 64, not 65", "--readers", "65");
    assertRefused("--threshold: must be from 0 to", "--threshold", "-1");
    assertRefused("--capacity: must be at least 16m", "--capacity", "15m");
    assertRefused("'' is not a size", "--capacity", "");
    assertRefused("'1x' is not a size", "--capacity", "1x");
    assertRefused("Unknown option: '--bogus'", "--bogus");
  }

  @Test
  public void usage_namesEveryOption() throws IOException {
    String usage = Files.readString(Path.of("src/demo/usage.txt"));
    for (Field field : DemoOptions.class.getDeclaredFields()) {
      Option option = field.getAnnotation(Option.class);
      if (option != null) {
        assertTrue(option.names()[0], usage.contains("\n  " + option.names()[0] + ' '));
        assertTrue(option.names()[0], option.defaultValue().equals(Option.NULL_VALUE)
            || option.defaultValue().startsWith("_")
            || usage.contains("(default: " + option.defaultValue() + ")"));
      }
    }
  }
}
