/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.testing;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.apache.hadoop.fs.FileUtil;

/**
 * A real browser without a window: Chromium or Chrome, named by the system property or environment
 * variable {@code chromium}, or found on the {@code PATH}.
 */
public final class Chromium {

  /** What to do about a missing browser. */
  public static final String MISSING = "no Chromium: name one by -Dchromium=FILE, or let "
      + "datanode-cache-plugin/install-tools install one";

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  private static final long PATIENCE_SECONDS = 300;

  private final Path program;
  private final Path directory;

  private Chromium(Path program, Path directory) {
    this.program = program;
    this.directory = directory;
  }

  /**
   * Looks for the browser.
   *
   * @param directory for its profile and what it prints
   * @return empty if there is none
   */
  public static Optional<Chromium> find(Path directory) {
    return Stream.concat(named(), onThePath()).filter(Files::isExecutable).findFirst()
        .map(program -> new Chromium(program, directory));
  }

  private static Stream<Path> named() {
    return Stream.of(System.getProperty("chromium"), System.getenv("chromium"))
        .filter(Objects::nonNull).filter(name -> !name.isEmpty()).map(Path::of);
  }

  private static Stream<Path> onThePath() {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    return Arrays.stream(path.split(File.pathSeparator)).map(Path::of)
        .flatMap(parent -> NAMES.stream().map(parent::resolve));
  }

  /** @return the page's document as it is after all its scripts have run. */
  public String documentOf(String url) throws IOException, InterruptedException {
    return run(url, "--dump-dom");
  }

  /** Writes a picture of the page. */
  public void screenshot(String url, Path png, int width, int height)
      throws IOException, InterruptedException {
    run(url, "--screenshot=" + png.toAbsolutePath(), "--window-size=" + width + "," + height,
        "--hide-scrollbars");
    if (!Files.exists(png)) {
      throw new IOException("no picture of " + url + " in " + png);
    }
  }

  private String run(String url, String... options) throws IOException, InterruptedException {
    Path profile = Files.createTempDirectory(directory, "profile");
    Path out = profile.resolve("out");
    Path err = profile.resolve("err");
    List<String> command = new ArrayList<>(List.of(program.toString(), "--headless=new",
        "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--disable-background-networking", "--no-proxy-server", "--user-data-dir=" + profile,
        // Virtual time stops while the page waits for an answer, so it ends only afterwards.
        "--virtual-time-budget=30000"));
    command.addAll(List.of(options));
    command.add(url);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().put("HOME", profile.toString());
    Process process = builder.start();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(String.join(" ", command) + " failed: " + Files.readString(err));
      }
      return Files.readString(out);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
      FileUtil.fullyDelete(profile.toFile());
    }
  }
}
