/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.replay;

/**
 * A read to be done.
 *
 * @param atMillis when, since the start
 * @param file number of the file
 * @param offset first byte in the file
 * @param length bytes
 */
record Operation(long atMillis, int file, long offset, int length) {
}
