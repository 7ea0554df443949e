/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.mount;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.metrics.ErrorText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether an SSD's directory exists. A missing directory is neither a full nor a broken
 * disk: the SSD is down for that reason, and its pages are forgotten when it reappears.
 */
public final class SsdPresence {

  private static final Logger LOG = LoggerFactory.getLogger(SsdPresence.class);

  private final SsdHome home;
  private final SsdIo io;
  private final Runnable back;
  /** A lock and not a monitor, because its holder waits for the SSD. */
  private final Lock changing = new ReentrantLock();
  private volatile boolean isLost;
  private boolean isOver;

  /**
   * @param io has the SSD's health
   * @param back run when it reappears, with the same pages, others, or none
   */
  public SsdPresence(SsdHome home, SsdIo io, Runnable back) {
    this.home = home;
    this.io = io;
    this.back = back;
  }

  /**
   * Checks; may wait for the SSD. If the directory is missing, the SSD is down from now on.
   *
   * @return false if it is missing
   */
  public boolean check() {
    if (isLost) {
      return false;
    }
    Path entered = home.sign();
    try {
      String gone = home.gone(entered);
      return gone == null || !lose(entered, gone);
    } catch (IOException e) {
      // Another failure of the SSD, which its users will notice.
      LOG.debug("Local cache: could not check whether {} exists", home.root(), e);
      return true;
    }
  }

  /** @return false if the directory was missing, but is back. */
  private boolean lose(Path entered, String gone) {
    changing.lock();
    try {
      if (isLost || !entered.equals(home.sign())) {
        return isLost;
      }
      isLost = true;
    } finally {
      changing.unlock();
    }
    io.health().lost(gone);
    io.failWaiting();
    return true;
  }

  /**
   * Uses the directory again if it was missing and is back. A part of a probe.
   *
   * @throws IOException if it is missing, or cannot be used
   */
  public void goOn() throws IOException {
    if (!check()) {
      comeBack();
    }
  }

  /** The SSD is no longer used: a running probe must not lock it. */
  public void end() {
    changing.lock();
    try {
      isOver = true;
    } finally {
      changing.unlock();
    }
  }

  private void comeBack() throws IOException {
    changing.lock();
    try {
      if (isOver) {
        throw new IOException("no longer used: " + home.root());
      }
      home.enterAgain();
      back.run();
      isLost = false;
    } catch (IOException e) {
      if (!isOver) {
        io.health().lost(ErrorText.of(e));
      }
      throw e;
    } finally {
      changing.unlock();
    }
    LOG.info("Local cache: {} is back", home.root());
  }
}
