/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.mount;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.hdfslocalcache.plugin.health.SsdHealth;
import io.hdfslocalcache.plugin.health.SsdIo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches whether an SSD's directory is there. One that is gone is no full disk, and no broken one:
 * it is down, with that reason, and what it had is forgotten when it is back.
 */
public final class SsdPresence {

  private static final Logger LOG = LoggerFactory.getLogger(SsdPresence.class);

  private final SsdHome home;
  private final SsdIo io;
  private final Runnable back;
  /** No monitor: whoever holds it waits for the SSD. */
  private final Lock changing = new ReentrantLock();
  private volatile boolean isLost;
  private boolean isOver;

  /**
   * @param io where the SSD's health is kept
   * @param back run when it is there again, with the same pages, or others, or none
   */
  public SsdPresence(SsdHome home, SsdIo io, Runnable back) {
    this.home = home;
    this.io = io;
    this.back = back;
  }

  /**
   * Looks; may wait for the SSD. If the directory is gone, the SSD is down from now on.
   *
   * @return false if it is gone
   */
  public boolean check() {
    if (isLost) {
      return false;
    }
    Path entered = home.sign();
    try {
      Path gone = home.gone(entered);
      return gone == null || !lose(entered, gone);
    } catch (IOException e) {
      // The SSD fails in another way, which those notice who use it.
      LOG.debug("Local cache: could not check whether {} exists", home.root(), e);
      return true;
    }
  }

  /** @return false if the directory was gone, but is back. */
  private boolean lose(Path entered, Path gone) {
    changing.lock();
    try {
      if (isLost || !entered.equals(home.sign())) {
        return isLost;
      }
      isLost = true;
    } finally {
      changing.unlock();
    }
    io.health().lost(SsdHome.missing(gone));
    io.failWaiting();
    return true;
  }

  /**
   * Goes on with the directory if it was gone and is back. A part of a probe.
   *
   * @throws IOException if it is gone, or cannot be used
   */
  public void goOn() throws IOException {
    if (!check()) {
      comeBack();
    }
  }

  /** The SSD is not used any more: a probe that is going on must not take possession of it. */
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
        throw new IOException("not used any more: " + home.root());
      }
      home.enterAgain();
      back.run();
      isLost = false;
    } catch (IOException e) {
      if (!isOver) {
        io.health().lost(SsdHealth.words(e));
      }
      throw e;
    } finally {
      changing.unlock();
    }
    LOG.info("Local cache: {} is back", home.root());
  }
}
