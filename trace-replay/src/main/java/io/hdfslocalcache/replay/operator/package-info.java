/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * How demo and benchmarks see and switch local caches: from outside, as an operator does. The
 * DataNodes' figures come over HTTP, commands are those of {@code hdfs}.
 */
package io.hdfslocalcache.replay.operator;
