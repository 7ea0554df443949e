/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** One file on one DataNode, read again and again. */
package io.hdfslocalcache.replay.benchmark.baseline;
