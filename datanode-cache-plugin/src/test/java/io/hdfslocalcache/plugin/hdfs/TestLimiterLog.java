/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.util.Arrays;

import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.Test;
import org.slf4j.LoggerFactory;

/** The log lines of a rate limiter are in the DataNode's log, once. */
public class TestLimiterLog {

  @Test
  public void warning_isInTheLogOnceHoweverOftenItWasOpened() {
    LimiterLog.open();
    LimiterLog.open();
    LogCapturer log =
        LogCapturer.captureLogs(LoggerFactory.getLogger("io.hdfslocalcache.ratelimit"));
    try {
      System.getLogger(WriteBudgetRateLimit.class.getName())
          .log(System.Logger.Level.WARNING, "the disk is gone", new IOException("gone"));
      String[] lines = log.getOutput().split("\n");
      assertEquals(log.getOutput(), 1,
          Arrays.stream(lines).filter(line -> line.contains("the disk is gone")).count());
    } finally {
      log.stopCapturing();
    }
  }
}
