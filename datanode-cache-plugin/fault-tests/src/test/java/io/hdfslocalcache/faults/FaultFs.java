/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.harness.Run;
import org.apache.hadoop.fs.FileUtil;

/**
 * A file system with faults to switch on: {@code src/test/c/faultfs.c}, which also describes the
 * commands. It ends with this process, however that ends.
 */
public final class FaultFs implements Closeable {

  /** Directory of this module, which has the source and takes the program. */
  private static final Path MODULE = Path.of(System.getProperty("faults.module", "."));
  private static final Path SOURCE = MODULE.resolve("src/test/c/faultfs.c");
  private static final Path PROGRAM = MODULE.resolve("target/faultfs");
  private static final int CLOSE_SECONDS = 5;

  private final Path directory;
  private final Process process;
  private final Writer commands;
  private final BufferedReader answers;

  private FaultFs(Path directory, Process process) {
    this.directory = directory;
    this.process = process;
    this.commands = process.outputWriter();
    this.answers = process.inputReader();
  }

  /** Mounts one whose file contents the OS caches. */
  public static FaultFs cached() throws IOException {
    return mount();
  }

  /** Mounts one whose file contents the OS does not cache. */
  public static FaultFs direct() throws IOException {
    return mount("--direct");
  }

  private static FaultFs mount(String... options) throws IOException {
    build();
    Path directory = Files.createTempDirectory("faultfs");
    Path below = Files.createDirectory(directory.resolve("below"));
    Path mountPoint = Files.createDirectory(directory.resolve("mnt"));
    List<String> words = new ArrayList<>(List.of(PROGRAM.toString()));
    words.addAll(Arrays.asList(options));
    words.add(below.toString());
    words.add(mountPoint.toString());
    Process process =
        new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    FaultFs mounted = new FaultFs(directory, process);
    if (!"ready".equals(mounted.answers.readLine())) {
      mounted.close();
      throw new IOException("faultfs did not start");
    }
    return mounted;
  }

  private static synchronized void build() throws IOException {
    if (Files.exists(PROGRAM) && Files.getLastModifiedTime(PROGRAM)
        .compareTo(Files.getLastModifiedTime(SOURCE)) > 0) {
      return;
    }
    Files.createDirectories(PROGRAM.getParent());
    List<String> words = new ArrayList<>(List.of("gcc", "-O1", "-g", "-Wall", "-Wextra", "-Werror",
        "-Wno-unused-parameter", SOURCE.toString(), "-o", PROGRAM.toString()));
    words.addAll(List.of(Run.output("pkg-config", "--cflags", "--libs", "fuse3").split("\\s+")));
    Run gcc = Run.of(Map.of(), words);
    if (gcc.exit() != 0) {
      throw new IOException(gcc.out());
    }
  }

  /** Drops directories, or mounted file systems, from the OS page cache. */
  public static void dropCaches(Path... paths) throws IOException {
    build();
    List<String> words = new ArrayList<>(List.of(PROGRAM.toString(), "--drop"));
    Arrays.stream(paths).map(Path::toString).forEach(words::add);
    Run.output(words.toArray(new String[0]));
  }

  /** @return where it is mounted. */
  public Path mountPoint() {
    return directory.resolve("mnt");
  }

  /** @return the directory below, where the same files are without faults. */
  public Path below() {
    return directory.resolve("below");
  }

  /**
   * Adds a fault, such as {@code read,open hang} or {@code write delay 300 every 2}.
   *
   * @throws IOException if there is no such fault
   */
  public void fault(String fault) throws IOException {
    ask("fault " + fault);
  }

  /** Ends all faults; hanging operations continue. */
  public void clear() throws IOException {
    ask("clear");
  }

  /** @return operations that hang or are delayed now. */
  public long held() throws IOException {
    return Long.parseLong(ask("stats").split(" ")[2]);
  }

  /** @return number of operations affected by a fault so far. */
  public long faults() throws IOException {
    return Long.parseLong(ask("stats").split(" ")[4]);
  }

  private synchronized String ask(String command) throws IOException {
    commands.write(command + "\n");
    commands.flush();
    String answer = answers.readLine();
    if (answer == null || !answer.startsWith("ok ")) {
      throw new IOException("faultfs: " + command + ": " + answer);
    }
    return answer;
  }

  /** Ends it; hanging operations fail. */
  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    try {
      process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Run.tryTo("umount", "-l", mountPoint().toString());
    FileUtil.fullyDelete(directory.toFile());
  }
}
