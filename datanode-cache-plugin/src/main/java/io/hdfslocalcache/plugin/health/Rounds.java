/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import org.apache.hadoop.log.LogThrottlingHelper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task repeated as long as the DataNode runs: no failure of one round ends it, not even when the
 * process has no memory or threads left.
 */
public final class Rounds implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);
  private static final long LOG_PERIOD_MS = 10_000;

  private final String what;
  private final Runnable round;
  private final LogThrottlingHelper log = new LogThrottlingHelper(LOG_PERIOD_MS);

  /** @param what name of the task, for the log */
  public Rounds(String what, Runnable round) {
    this.what = what;
    this.round = round;
  }

  /** Runs one round. Throws nothing. */
  @Override
  public void run() {
    try {
      round.run();
    } catch (Throwable e) {
      say(e);
    }
  }

  private void say(Throwable error) {
    try {
      LogThrottlingHelper.LogAction action = log.record();
      if (action.shouldLog()) {
        LOG.warn("Local cache: {} failed, will retry. {} such failures since the last "
            + "message.", what, action.getCount(), error);
      }
    } catch (Throwable whileLogging) {
      // There is not even memory for a message.
    }
  }
}
