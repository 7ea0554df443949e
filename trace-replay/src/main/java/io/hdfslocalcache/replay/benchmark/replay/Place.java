/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.replay;

/**
 * A block of the cluster that stands for one of the trace.
 *
 * @param file number of its file
 * @param offset where it begins in the file
 * @param length its bytes
 */
record Place(int file, long offset, long length) {
}
