/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** The counters of the local cache, their export to Hadoop's metrics system, and safe log texts. */
package io.hdfslocalcache.plugin.metrics;
