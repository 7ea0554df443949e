/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness.disk;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

import io.hdfslocalcache.harness.Run;

/**
 * Cleanup: shell commands, run in reverse order when this is closed, or when the process ends. They
 * are also in a file, from which {@code bench/run} runs them if this process was killed.
 */
public final class Undo implements AutoCloseable {

  private final Path file;
  private final Deque<String> commands = new ArrayDeque<>();
  private final Thread hook = new Thread(this::undo);

  /** Starts without commands. */
  public Undo(Path file) {
    this.file = file;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Adds a command that removes what is created next. It must do no harm if the creation fails. */
  public synchronized void add(String command) throws IOException {
    commands.push(command);
    save();
  }

  private void save() throws IOException {
    if (commands.isEmpty()) {
      Files.deleteIfExists(file);
      return;
    }
    List<String> inOrder = new ArrayList<>(commands);
    Collections.reverse(inOrder);
    Files.write(file, inOrder);
  }

  private synchronized void undo() {
    while (!commands.isEmpty()) {
      try {
        Run.output("sh", "-c", commands.peek());
      } catch (InterruptedIOException e) {
        // Continues, because the cleanup must run in any case.
        Thread.interrupted();
      } catch (IOException e) {
        System.err.println("bench: could not clean up: " + e.getMessage());
      }
      commands.pop();
      try {
        save();
      } catch (IOException e) {
        System.err.println("bench: " + e.getMessage());
      }
    }
  }

  @Override
  public void close() {
    undo();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook is running, and has nothing left to do.
    }
  }
}
