/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.netty.util;

/**
 * The handle of a tracked resource. No resource is tracked.
 *
 * @param <T> the type of resource
 */
public interface ResourceLeakTracker<T> {

  /**
   * Never called.
   *
   * @param trackedObject a resource that is being closed
   * @return whether this was the first call
   */
  boolean close(T trackedObject);
}
