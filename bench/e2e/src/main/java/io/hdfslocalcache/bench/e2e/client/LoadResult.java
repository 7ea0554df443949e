/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.client;

/**
 * What the readers of a load saw.
 *
 * @param ops reads, of whole files or of ranges
 * @param bytes bytes of data in them
 * @param seconds from the first to the last
 * @param p50Micros median duration of a read
 * @param p99Micros 99th percentile of the durations
 * @param maxMicros the longest
 */
public record LoadResult(long ops, long bytes, double seconds, double p50Micros,
    double p99Micros, double maxMicros) {
}
