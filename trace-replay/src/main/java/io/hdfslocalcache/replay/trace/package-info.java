/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Traces of what clients did on one DataNode, or on all of a cluster: reading them from the
 * DataNode's log and from CSV, and writing CSV. A trace is loaded as a whole, at about 60 bytes of
 * heap a read.
 */
package io.hdfslocalcache.replay.trace;
