/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.util.List;

/**
 * What was read in each second of a measurement.
 *
 * @param path stage and load
 * @param variant which DataNode
 * @param round counted from 1
 * @param reads that ended in the first second, in the second one, and so on
 */
public record Timeline(String path, String variant, int round, List<Long> reads) {
}
