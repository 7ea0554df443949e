/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import java.nio.file.Files;
import java.nio.file.Path;

import io.hdfslocalcache.replay.text.Text;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The command line of the demo, checked. {@code src/demo/usage.txt} explains it to users. */
@Command(name = "bin/demo")
final class DemoOptions {

  /** Bytes of a page. */
  static final int PAGE = 1 << 20;
  /** The least that the local cache takes: 16 pages. */
  static final long MIN_CAPACITY = 16L * PAGE;

  private static final int MAX_SECONDS = 24 * 60 * 60;
  private static final int MAX_READERS = 64;
  private static final int MAX_THRESHOLD = 100;

  @Spec
  private CommandSpec spec;

  @Option(names = "--files")
  private Path files;

  @Option(names = "--seconds", defaultValue = "60")
  private int seconds;

  @Option(names = "--readers", defaultValue = "4")
  private int readers;

  @Option(names = "--ssd")
  private Path ssd;

  @Option(names = "--capacity", converter = Size.class)
  private Long capacity;

  @Option(names = "--threshold", defaultValue = "3")
  private int threshold;

  private boolean ofDefault;

  /** Sizes with Hadoop's suffixes. */
  static final class Size implements ITypeConverter<Long> {
    @Override
    public Long convert(String value) {
      try {
        return Text.parseBytes(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'" + value + "' is not a size such as 200m");
      }
    }
  }

  private DemoOptions() {
  }

  /**
   * Reads the command line.
   *
   * @param defaultFiles where the files are if the command line does not say; may be null
   * @return the options
   * @throws ParameterException if something is wrong with it; the message is one line
   */
  static DemoOptions parse(Path defaultFiles, String... args) {
    DemoOptions options = new DemoOptions();
    new CommandLine(options).parseArgs(args);
    options.ofDefault = options.files == null;
    if (options.ofDefault) {
      options.files = defaultFiles;
    }
    options.check();
    return options;
  }

  private void check() {
    if (files == null) {
      throw bad("--files", "is needed");
    }
    checkDirectory("--files", files);
    if (ssd != null) {
      checkDirectory("--ssd", ssd);
    }
    checkRange("--seconds", seconds, 1, MAX_SECONDS);
    checkRange("--readers", readers, 1, MAX_READERS);
    checkRange("--threshold", threshold, 0, MAX_THRESHOLD);
    if (capacity != null && capacity < MIN_CAPACITY) {
      throw bad("--capacity", "must be at least " + (MIN_CAPACITY >> 20) + "m, 16 pages of "
          + (PAGE >> 20) + "m");
    }
  }

  private void checkDirectory(String option, Path directory) {
    if (!Files.isDirectory(directory)) {
      throw bad(option, directory + (Files.exists(directory) ? " is no directory"
          : " does not exist"));
    }
  }

  private void checkRange(String option, int value, int min, int max) {
    if (value < min || value > max) {
      throw bad(option, "must be from " + min + " to " + max + ", not " + value);
    }
  }

  private ParameterException bad(String option, String what) {
    return new ParameterException(spec.commandLine(), option + ": " + what);
  }

  /** @return where the files to load are. */
  Path files() {
    return files;
  }

  /** @return what their names end with. */
  String suffix() {
    return ofDefault ? ".jar" : "";
  }

  /** @return seconds of reading. */
  int seconds() {
    return seconds;
  }

  /** @return number of clients that read at a time. */
  int readers() {
    return readers;
  }

  /** @return the parent of the directory for pages, or null for one of the demo's own choice. */
  Path ssd() {
    return ssd;
  }

  /** @return what pages may take on the SSD, in bytes, given what is loaded. */
  long capacity(long loaded) {
    long mostOfIt = loaded * 3 / 4 / PAGE * PAGE;
    return capacity != null ? capacity : Math.max(MIN_CAPACITY, mostOfIt);
  }

  /** @return a block is admitted when it is read more often than this. */
  int threshold() {
    return threshold;
  }
}
