/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Collects diagnostic data of DataNodes in one archive. Each is asked twice, to show changes.
 */
@Command(name = "diagnose",
    description = {"Collects diagnostic data of DataNodes in a zip file.",
        "It has settings, state, metrics, threads, mounts and versions, but no file "
        + "names of users."})
final class Diagnose extends Verb {
  private static final Map<String, ?> COMMAND = Map.of("command", "diagnose");
  private static final int MAX_SECONDS = 300;

  @Option(names = "--out", paramLabel = "FILE",
      description = "The file to write (default: localcache-DATE-TIME.zip).")
  private Path out;

  @Option(names = "--seconds", paramLabel = "N", defaultValue = "5",
      description = "Asks twice, N seconds apart, 1 to 300 (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Parameters(arity = "0..*", paramLabel = DataNodes.LABEL,
      description = DataNodes.DESCRIPTION + " (default: livenodes).")
  private List<String> targets = List.of();

  Diagnose(Session session) {
    super(session);
  }

  @Override
  int run() throws IOException {
    check("--seconds", seconds, MAX_SECONDS);
    List<String> dataNodes = session.dataNodes().named(targets);
    Path file = out != null ? out : Path.of("localcache-"
        + DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(LocalDateTime.now()) + ".zip");
    int exitCode;
    try (OutputStream bytes = create(file); ZipOutputStream archive = new ZipOutputStream(bytes)) {
      exitCode = ask(dataNodes, archive, 1);
      Session.pause(TimeUnit.SECONDS.toMillis(seconds));
      exitCode = Math.max(exitCode, ask(dataNodes, archive, 2));
    }
    session.say("written: " + file);
    return exitCode;
  }

  /** Creates a file that only its owner can read. */
  private static OutputStream create(Path file) throws IOException {
    try {
      Files.createFile(file,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (NoSuchFileException e) {
      throw new IOException(file + ": there is no such directory", e);
    }
    return Files.newOutputStream(file);
  }

  private int ask(List<String> dataNodes, ZipOutputStream archive, int time) throws IOException {
    try {
      return FanOut.ask(dataNodes, dataNode -> session.client().askJson(dataNode, COMMAND),
          answer -> add(archive, answer, time)) ? Session.DONE : Session.FAILED;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** @throws UncheckedIOException if the archive cannot be written */
  private void add(ZipOutputStream archive, FanOut.Answer<JsonNode> answer, int time) {
    String name = answer.dataNode().replaceAll("[^A-Za-z0-9.-]", "_") + "-" + time;
    if (answer.failed()) {
      session.warn(answer.dataNode() + ": " + answer.failure());
      put(archive, name + ".error.txt", answer.failure() + "\n");
    } else {
      put(archive, name + ".json", answer.value().toPrettyString() + "\n");
    }
  }

  private static void put(ZipOutputStream archive, String name, String text) {
    try {
      archive.putNextEntry(new ZipEntry(name));
      archive.write(text.getBytes(StandardCharsets.UTF_8));
      archive.closeEntry();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
