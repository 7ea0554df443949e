/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.recommend;

import java.util.List;

import io.hdfslocalcache.replay.simulate.Disk;
import io.hdfslocalcache.replay.simulate.Limiter;
import io.hdfslocalcache.replay.simulate.Result;
import io.hdfslocalcache.replay.stat.Skew;
import io.hdfslocalcache.replay.stat.TraceStat;

/**
 * What is recommended, and how it was found.
 *
 * @param wish what the operator has
 * @param disk the HDDs
 * @param stat what the trace is like
 * @param skew how its reads are spread
 * @param limiter the recommended limiter, which keeps a write budget
 * @param chosen what it would do, on SSDs and with pages as recommended
 * @param limiters all limiters that were tried, on these SSDs with pages of the default size
 * @param sizes the recommended limiter, by size of the SSD
 * @param admitAll the same without limiter
 * @param clairvoyant the bound
 * @param pageSizes the recommended limiter, by page size
 */
public record Recommendation(Wish wish, Disk disk, TraceStat stat, List<Skew> skew, Limiter limiter,
    Result chosen, List<Result> limiters, List<Result> sizes,
    List<Result> admitAll, List<Result> clairvoyant, List<Result> pageSizes) {
}
