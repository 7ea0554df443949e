/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The trace that a DataNode writes of its clients' reads: small enough to be left on, and complete
 * enough to choose the local cache's settings by. Nothing here knows what a hit is made of.
 */
package io.hdfslocalcache.plugin.trace;
