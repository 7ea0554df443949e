/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * How the demo and the benchmark see local caches: from outside, as an operator does. The figures of
 * DataNodes come over HTTP.
 */
package io.hdfslocalcache.replay.operator;
