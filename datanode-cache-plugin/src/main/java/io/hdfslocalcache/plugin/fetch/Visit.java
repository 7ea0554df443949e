/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fetch;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.hdfslocalcache.plugin.ssd.PageNotReadException;

/** A reader's visit to the volume of a replica, which others wait for who want the same bytes. */
final class Visit implements PageFetch.Waiting {

  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private final long patienceNanos;

  /** @param patienceNanos so long another reader waits before it goes to the volume itself */
  Visit(long patienceNanos) {
    this.patienceNanos = patienceNanos;
  }

  void ended() {
    end.complete(null);
  }

  void failed(Throwable why) {
    end.completeExceptionally(why);
  }

  @Override
  public void await() throws IOException {
    try {
      end.get(patienceNanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException e) {
      // Why, is said to the reader that tried.
      throw new PageNotReadException("another reader has not got it from the replica");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PageNotReadException("interrupted");
    }
  }

  /** Until it is on the SSD, what was read is shared from memory. */
  @Override
  public boolean isOver() {
    return end.isCompletedExceptionally();
  }
}
