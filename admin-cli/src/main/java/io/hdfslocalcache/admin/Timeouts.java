/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.time.Duration;

/**
 * How long to wait for one DataNode. Hadoop's own defaults (45 attempts of 20 s) suit a job that
 * must go on, not an operator who switches off the local cache of a cluster with a dead DataNode.
 *
 * @param connect for a connection
 * @param answer for an answer, once connected
 */
record Timeouts(Duration connect, Duration answer) {
  static final Timeouts DEFAULT = new Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(10));

  int connectMillis() {
    return Math.toIntExact(connect.toMillis());
  }

  int answerMillis() {
    return Math.toIntExact(answer.toMillis());
  }
}
