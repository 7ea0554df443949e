/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** Tests of the benchmarks' package of the same name. */
package io.hdfslocalcache.replay.operator;
