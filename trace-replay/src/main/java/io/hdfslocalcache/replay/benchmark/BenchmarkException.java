/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import java.io.IOException;

/** A benchmark that cannot be run or has failed. The message is for the user. */
public class BenchmarkException extends IOException {

  public BenchmarkException(String message) {
    super(message);
  }

  public BenchmarkException(String message, Throwable cause) {
    super(message, cause);
  }
}
