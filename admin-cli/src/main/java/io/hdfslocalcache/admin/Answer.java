/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

/**
 * What came back from one DataNode.
 *
 * @param dataNode {@code host:ipc_port}
 * @param value the answer, or null if there is none
 * @param failure why there is none, on one line, or null
 */
record Answer<T>(String dataNode, T value, String failure) {

  boolean failed() {
    return failure != null;
  }
}
