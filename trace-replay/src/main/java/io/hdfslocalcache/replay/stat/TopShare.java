/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.stat;

/**
 * Share of the traffic of an hour on the blocks with the most of it in that hour, 0 to 1.
 *
 * @param blocks how many blocks those are
 * @param reads share of the reads, over all hours together
 * @param leastReads share of the reads in the hour with the least
 * @param mostReads share of the reads in the hour with the most
 * @param bytes share of the bytes, over all hours together, on the blocks with the most bytes
 * @param hours number of hours
 */
public record TopShare(int blocks, double reads, double leastReads, double mostReads, double bytes,
    int hours) {
}
