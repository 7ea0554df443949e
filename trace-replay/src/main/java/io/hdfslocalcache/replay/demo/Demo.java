/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;

import io.hdfslocalcache.replay.embedded.WorkDirectory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ParameterException;

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
             options.ssd() == null ? directory : options.ssd(), PREFIX)) {
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
}
