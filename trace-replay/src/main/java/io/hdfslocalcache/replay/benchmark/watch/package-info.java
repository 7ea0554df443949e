/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** What the DataNodes count while a benchmark runs. */
package io.hdfslocalcache.replay.benchmark.watch;
