/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.util.Collection;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfslocalcache.plugin.metrics.LogText;
import org.apache.hadoop.conf.Configuration;

/**
 * The state shared by both entry points and the verbs.
 *
 * @param out for results
 * @param err for errors and progress
 */
record Session(
    Configuration conf, PrintStream out, PrintStream err, DataNodes dataNodes,
    DataNodeClient client) {
  /** Exit code: everything was done. */
  static final int DONE = 0;
  /** Exit code: a DataNode or the NameNode failed, refused or could not be reached. */
  static final int FAILED = 1;
  /** Exit code: the command line is wrong, and nothing was tried. */
  static final int WRONG_USAGE = -1;

  private static final long POLL_MILLIS = 200;
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Creates a session of the current user. */
  static Session of(Configuration conf, PrintStream out, PrintStream err,
      DataNodeClient.Timeouts timeouts) {
    return new Session(
        conf, out, err, new DataNodes(conf), new DataNodeClient(conf, timeouts));
  }

  /** Asks DataNodes, passes on the answers, prints failures. @return the exit code. */
  <T> int ask(Collection<String> dataNodes, FanOut.Question<T> question,
      Consumer<FanOut.Answer<T>> answered) {
    return FanOut.ask(dataNodes, question, answer -> {
      if (answer.failed()) {
        warn(answer.dataNode() + ": " + answer.failure());
      } else {
        answered.accept(answer);
      }
    }) ? DONE : FAILED;
  }

  /** Waits a moment before a DataNode is asked for its progress again. */
  static void pause() throws InterruptedIOException {
    pause(POLL_MILLIS);
  }

  /** Waits. */
  static void pause(long millis) throws InterruptedIOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  /** Prints a line of a result. What a file's name or a message has besides letters is made visible. */
  void say(String line) {
    out.println(LogText.whole(line));
  }

  /** The same for errors. */
  void warn(String line) {
    err.println(LogText.whole(line));
  }

  /** @return an empty JSON object. */
  static ObjectNode object() {
    return JSON.createObjectNode();
  }

  /** Prints one JSON document: a tree, or a record that can be converted to one. */
  void print(Object document) {
    try {
      out.println(JSON.writeValueAsString(document));
    } catch (IOException e) {
      throw new IllegalStateException("it can always be written", e);
    }
  }
}
