/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Generated traces: as many reads of as many blocks, with the same skew, as on a host of which only
 * these numbers are known. Very different workloads have the same numbers, so there are two
 * {@linkplain io.hdfslocalcache.replay.generate.Plan.Kind kinds}.
 */
package io.hdfslocalcache.replay.generate;
