/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Traces of clients' accesses on one DataNode, or on a cluster: read from the DataNode's log or
 * CSV, written as CSV. A trace is loaded completely, at about 60 bytes of heap per read.
 */
package io.hdfslocalcache.replay.trace;
