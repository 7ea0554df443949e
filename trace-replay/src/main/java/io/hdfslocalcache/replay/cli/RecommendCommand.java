/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.util.concurrent.Callable;

import picocli.CommandLine.Command;

/** Not there yet. */
@Command(name = "recommend", description = "Not there yet.", hidden = true)
final class RecommendCommand implements Callable<Integer> {

  @Override
  public Integer call() {
    throw new IllegalArgumentException("recommend: not there yet");
  }
}
