/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

/**
 * A fault under load.
 *
 * @param name what happens to the SSD
 * @param kind the SSD
 * @param fault how it happens
 * @param readers clients that read all the time
 * @param millis how long the fault lasts
 */
public record Scenario(String name, Ssd.Kind kind, Fault fault, int readers, long millis) {

  @Override
  public String toString() {
    return kind + ", " + name + ", " + readers + " readers";
  }
}
