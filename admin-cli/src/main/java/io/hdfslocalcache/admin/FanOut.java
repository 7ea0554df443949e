/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import org.apache.hadoop.util.Daemon;

/** Asks many DataNodes at once. */
final class FanOut {
  /** With it, a thousand DataNodes that all time out (5 s) take less than three minutes. */
  private static final int MAX_AT_ONCE = 32;
  private static final Duration FOREVER = Duration.ofDays(365);

  /**
   * The answer of one DataNode.
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

  /** A question to one DataNode. */
  @FunctionalInterface
  interface Question<T> {

    /**
     * Asks; called by several threads at once.
     *
     * @param dataNode {@code host:ipc_port}
     * @throws IOException when there is no answer, or a refusal
     */
    T ask(String dataNode) throws IOException;
  }

  /**
   * Asks all DataNodes, and passes on the answers in the order of the DataNodes, as they come.
   *
   * @return whether none failed
   */
  static <T> boolean ask(
      Collection<String> dataNodes, Question<T> question, Consumer<Answer<T>> answered) {
    return ask(dataNodes, question, answered, FOREVER);
  }

  /**
   * The same with a time limit.
   *
   * @param patience limit for all DataNodes together; those that did not answer by then failed
   */
  static <T> boolean ask(Collection<String> dataNodes, Question<T> question,
      Consumer<Answer<T>> answered, Duration patience) {
    if (dataNodes.isEmpty()) {
      return true;
    }
    long end = System.nanoTime() + patience.toNanos();
    ExecutorService askers =
        Executors.newFixedThreadPool(Math.min(MAX_AT_ONCE, dataNodes.size()), Daemon::new);
    try {
      Map<String, Future<T>> answers = new LinkedHashMap<>();
      dataNodes.forEach(dn -> answers.put(dn, askers.submit(() -> question.ask(dn))));
      boolean good = true;
      for (Map.Entry<String, Future<T>> asked : answers.entrySet()) {
        Answer<T> answer = await(asked.getKey(), asked.getValue(), end);
        good &= !answer.failed();
        answered.accept(answer);
      }
      return good;
    } finally {
      askers.shutdownNow();
    }
  }

  private static <T> Answer<T> await(String dataNode, Future<T> answer, long end) {
    Throwable failure;
    try {
      T value = answer.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      return new Answer<>(dataNode, value, null);
    } catch (TimeoutException e) {
      return new Answer<>(dataNode, null, Failure.LATE);
    } catch (ExecutionException e) {
      failure = e.getCause();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = new InterruptedIOException("interrupted");
    }
    return new Answer<>(dataNode, null, Failure.describe(failure));
  }

  /**
   * Asks another server, such as the NameNode, with a time limit.
   *
   * @throws IOException what the question throws, or if there is no answer in time
   */
  static <T> T within(Duration patience, String whom, Callable<T> question) throws IOException {
    FutureTask<T> asked = new FutureTask<>(question);
    new Daemon(asked).start();
    try {
      return asked.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new IOException(whom + ": " + Failure.LATE, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException wrong) {
        throw wrong;
      }
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    }
  }
}
