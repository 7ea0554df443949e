/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** What the local cache counts, how Hadoop's metrics system sees it, and what may be in the log. */
package io.hdfslocalcache.plugin.metrics;
