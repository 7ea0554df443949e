/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.java8;

import java.lang.management.ManagementFactory;

/** {@code ProcessHandle} of this process. */
public interface ThisProcess {

  long pid();

  static ThisProcess current() {
    String name = ManagementFactory.getRuntimeMXBean().getName();
    long pid = Long.parseLong(name.substring(0, name.indexOf('@')));
    return () -> pid;
  }
}
