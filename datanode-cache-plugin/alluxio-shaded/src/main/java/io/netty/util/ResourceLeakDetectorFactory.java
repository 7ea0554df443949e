/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.netty.util;

/** Creates leak detectors; Alluxio's subclass creates its own kind. */
public abstract class ResourceLeakDetectorFactory {

  /**
   * Creates a detector for resources of one type.
   *
   * @param resource the type of resource
   * @param <T> the type of resource
   * @return a detector, never null
   */
  public final <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> resource) {
    return newResourceLeakDetector(resource, 1);
  }

  /**
   * Creates a detector that samples.
   *
   * @param resource the type of resource
   * @param samplingInterval one in how many resources would be tracked
   * @param <T> the type of resource
   * @return a detector, never null
   */
  public abstract <T> ResourceLeakDetector<T> newResourceLeakDetector(
      Class<T> resource, int samplingInterval);
}
