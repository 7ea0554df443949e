/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** The reads of a trace, at their times, by as many readers. */
package io.hdfslocalcache.replay.benchmark.replay;
