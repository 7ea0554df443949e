/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.store.OpenPage;

/**
 * What is known to be in memory of the page that a reader is at, and whether it is proven to be what
 * was verified. Asking costs as much as sending 4 to 16 KB, so it is asked once for all that the
 * reader wants of a page, if all of it is there.
 *
 * <p>Used by one thread.
 */
final class ResidentSpan {

  /** For so long, bytes that were in memory are taken to be there still. */
  private static final long VALID_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final PageLayout layout;
  private OpenPage file;
  private boolean askedForProof;
  private boolean proven;
  private int from;
  private int to;
  private long since;

  ResidentSpan(PageLayout layout) {
    this.layout = layout;
  }

  /**
   * Tells whether data, and all of the file behind the page's data, are in memory.
   *
   * @param wanted byte of the page's data at which the reader may end
   * @param askForProof whether a proof is of use, which is then asked for first
   */
  boolean covers(OpenPage open, int page, int begin, int end, int wanted, boolean askForProof) {
    long now = System.nanoTime();
    if (file == open && from <= begin && end <= to && now - since < VALID_NANOS
        && (askedForProof || !askForProof)) {
      return true;
    }
    file = null;
    askedForProof = askForProof;
    int farther = Math.max(end, wanted);
    if (ask(open, page, begin, farther)) {
      remember(open, begin, farther, now);
    } else if (farther > end && ask(open, page, begin, end)) {
      remember(open, begin, end, now);
    }
    return file != null;
  }

  /** @return whether what {@link #covers} was last asked for is proven to be what was verified. */
  boolean isProven() {
    return file != null && proven;
  }

  /** What is in memory may have been proven now. */
  void forget() {
    file = null;
  }

  private boolean ask(OpenPage open, int page, int begin, int end) {
    proven = askedForProof && ask(open.proof()::holds, page, begin, end);
    return proven || ask(open::isResident, page, begin, end);
  }

  /** The question is asked of the data and of all behind the page's data, at once if they adjoin. */
  private boolean ask(Question question, int page, int begin, int end) {
    int data = layout.dataLength(page);
    int file = layout.fileLength(page);
    return end == data ? question.isTrueOf(begin, file)
        : question.isTrueOf(begin, end) && question.isTrueOf(data, file);
  }

  /** A question about some bytes of a page's file. */
  private interface Question {
    boolean isTrueOf(int begin, int end);
  }

  private void remember(OpenPage open, int begin, int end, long now) {
    file = open;
    from = begin;
    to = end;
    since = now;
  }
}
