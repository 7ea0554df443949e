/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.netty.util;

/**
 * A leak detector that tracks nothing, with the members that Alluxio's subclass needs.
 *
 * @param <T> the type of resource that is not tracked
 */
public class ResourceLeakDetector<T> {

  /** The values of Alluxio's property for the level; the level itself is ignored. */
  public enum Level {
    /** Track nothing. Alluxio's default. */
    DISABLED,
    /** Ignored: nothing is tracked. */
    SIMPLE,
    /** Ignored: nothing is tracked. */
    ADVANCED,
    /** Ignored: nothing is tracked. */
    PARANOID
  }

  /**
   * Creates a detector.
   *
   * @param resourceType ignored
   * @param samplingInterval ignored
   */
  public ResourceLeakDetector(Class<?> resourceType, int samplingInterval) {}

  /**
   * Does nothing; in netty this changes the whole JVM.
   *
   * @param level ignored
   */
  public static void setLevel(Level level) {}

  /**
   * Declines to track a resource. Called for every lock that is taken, so several times a read.
   *
   * @param resource ignored
   * @return null: the resource is not tracked
   */
  public final ResourceLeakTracker<T> track(T resource) {
    return null;
  }

  /**
   * Never called.
   *
   * @param resourceType the class of a leaked resource
   * @param records where it was used
   */
  protected void reportTracedLeak(String resourceType, String records) {}

  /**
   * Never called.
   *
   * @param resourceType the class of a leaked resource
   */
  protected void reportUntracedLeak(String resourceType) {}
}
