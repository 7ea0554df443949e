/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The policies of eviction that can be simulated: the DataNode's, and others to compare it with.
 */
package io.hdfslocalcache.replay.eviction;
