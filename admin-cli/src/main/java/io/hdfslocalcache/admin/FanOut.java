/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

import org.apache.hadoop.util.Daemon;

/** Asks many DataNodes at once. */
final class FanOut {
  /** A thousand DataNodes that all time out (5 s) then take less than three minutes. */
  private static final int MAX_AT_ONCE = 32;

  /**
   * What came back from one DataNode.
   *
   * @param dataNode {@code host:ipc_port}
   * @param value the answer, or null if there is none
   * @param failure why there is none, on one line, or null
   */
  record Answer<T>(String dataNode, T value, String failure) {

    boolean failed() {
      return failure != null;
    }
  }

  private FanOut() {}

  /** What is asked of one DataNode. */
  @FunctionalInterface
  interface Question<T> {

    /**
     * Asks; called by several threads at once.
     *
     * @param dataNode {@code host:ipc_port}
     * @throws IOException when there is no answer, or it is a refusal
     */
    T ask(String dataNode) throws IOException;
  }

  /**
   * Asks them all, and hands over the answers in the order of the DataNodes, as they come.
   *
   * @return whether none has failed
   */
  static <T> boolean ask(
      Collection<String> dataNodes, Question<T> question, Consumer<Answer<T>> answered) {
    if (dataNodes.isEmpty()) {
      return true;
    }
    ExecutorService askers =
        Executors.newFixedThreadPool(Math.min(MAX_AT_ONCE, dataNodes.size()), Daemon::new);
    try {
      Map<String, Future<T>> answers = new LinkedHashMap<>();
      dataNodes.forEach(dn -> answers.put(dn, askers.submit(() -> question.ask(dn))));
      boolean good = true;
      for (Map.Entry<String, Future<T>> asked : answers.entrySet()) {
        Answer<T> answer = await(asked.getKey(), asked.getValue());
        good &= !answer.failed();
        answered.accept(answer);
      }
      return good;
    } finally {
      askers.shutdownNow();
    }
  }

  private static <T> Answer<T> await(String dataNode, Future<T> answer) {
    Throwable failure;
    try {
      return new Answer<>(dataNode, answer.get(), null);
    } catch (ExecutionException e) {
      failure = e.getCause();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = new InterruptedIOException("interrupted");
    }
    return new Answer<>(dataNode, null, Failure.describe(failure));
  }
}
