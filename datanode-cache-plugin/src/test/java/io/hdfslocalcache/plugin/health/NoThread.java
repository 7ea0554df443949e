/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

/** A thread that cannot be started, as in a process that has all the threads it may have. */
final class NoThread extends Thread {

  NoThread(Runnable task) {
    super(task);
  }

  @Override
  public synchronized void start() {
    throw new OutOfMemoryError("unable to create native thread: thrown by a test");
  }
}
