/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

import io.hdfslocalcache.replay.embedded.WorkDirectory;
import io.hdfslocalcache.replay.text.Checks.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The program behind {@code bin/demo}. Exit code 0 if all bytes were right and the local cache did
 * what it promises, 1 if not, 2 if the command line makes no sense.
 *
 * <p>System properties, set by {@code bin/demo}: {@code demo.files} is where files are if the
 * command line does not say, {@code demo.directory} where temporary directories are made,
 * {@code demo.log} the log of the daemons.
 */
public final class Demo {

  private static final Logger LOG = LoggerFactory.getLogger(Demo.class);
  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;
  private static final String PREFIX = "local-cache-demo-";

  private final PrintStream out;
  private final PrintStream err;
  private final Path defaultFiles;
  private final Path directory;
  private volatile boolean interrupted;

  /**
   * Makes a demo.
   *
   * @param out for the demo itself
   * @param err for the one line that tells why it failed
   * @param defaultFiles where files are if the command line does not say; may be null
   * @param directory where temporary directories are made
   */
  Demo(PrintStream out, PrintStream err, Path defaultFiles, Path directory) {
    this.out = out;
    this.err = err;
    this.defaultFiles = defaultFiles;
    this.directory = directory;
  }

  /** Runs the demo, and ends the process with its exit code. */
  public static void main(String[] args) {
    String files = System.getProperty("demo.files");
    Demo demo = new Demo(System.out, System.err, files == null ? null : Path.of(files),
        Path.of(System.getProperty("demo.directory", System.getProperty("java.io.tmpdir"))));
    Thread hook = new Thread(demo::interrupted, "interrupted");
    Runtime.getRuntime().addShutdownHook(hook);
    int exitCode = demo.run(args);
    if (!demo.interrupted) {
      Runtime.getRuntime().removeShutdownHook(hook);
    }
    System.exit(exitCode);
  }

  /** From now on all goes wrong, and nobody wants to read about it. */
  private void interrupted() {
    interrupted = true;
    out.println();
    err.println("demo: interrupted");
  }

  /** Runs the demo. @return the exit code. */
  int run(String... args) {
    try {
      run(DemoOptions.parse(defaultFiles, args));
      return OK;
    } catch (ParameterException e) {
      return fail(WRONG_USAGE, e);
    } catch (IOException | RuntimeException e) {
      return fail(FAILED, e);
    }
  }

  private void run(DemoOptions options) throws IOException {
    try (WorkDirectory work = WorkDirectory.createIn(directory, PREFIX);
         WorkDirectory ssd = WorkDirectory.createIn(
             options.ssd == null ? directory : options.ssd, PREFIX)) {
      new DemoRun(options, work.path(), new Progress(out, Progress.isTerminal(), System::nanoTime))
          .run(ssd.path());
    }
  }

  private int fail(int exitCode, Exception e) {
    LOG.error("The demo failed", e);
    if (!interrupted) {
      err.println("demo: " + (e.getMessage() == null ? e : e.getMessage()));
    }
    return exitCode;
  }

  /** The command line of the demo, checked. {@code src/demo/usage.txt} explains it to users. */
  @Command(name = "bin/demo")
  static final class DemoOptions {

    /** Bytes of a page. */
    static final int PAGE = 1 << 20;
    /** The least that the local cache takes: 16 pages. */
    static final long MIN_CAPACITY = 16L * PAGE;

    private static final int MAX_SECONDS = 24 * 60 * 60;
    private static final int MAX_READERS = 64;
    private static final int MAX_THRESHOLD = 100;

    @Spec
    private CommandSpec spec;

    /** Where the files to load are. */
    @Option(names = "--files")
    Path files;

    /** Seconds of reading. */
    @Option(names = "--seconds", defaultValue = "60")
    int seconds;

    /** Number of clients that read at a time. */
    @Option(names = "--readers", defaultValue = "4")
    int readers;

    /** The parent of the directory for pages, or null for one of the demo's own choice. */
    @Option(names = "--ssd")
    Path ssd;

    @Option(names = "--capacity", converter = Bytes.class)
    private Long capacity;

    /** A block is admitted when it is read more often than this. */
    @Option(names = "--threshold", defaultValue = "3")
    int threshold;

    private boolean ofDefault;

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

    /** @return what their names end with. */
    String suffix() {
      return ofDefault ? ".jar" : "";
    }

    /** @return what pages may take on the SSD, in bytes, given what is loaded. */
    long capacity(long loaded) {
      long mostOfIt = loaded * 3 / 4 / PAGE * PAGE;
      return capacity != null ? capacity : Math.max(MIN_CAPACITY, mostOfIt);
    }
  }
}
