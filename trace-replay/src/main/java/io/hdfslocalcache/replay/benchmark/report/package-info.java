/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** The results of a benchmark as text, as JSON, and as a page with charts. */
package io.hdfslocalcache.replay.benchmark.report;
