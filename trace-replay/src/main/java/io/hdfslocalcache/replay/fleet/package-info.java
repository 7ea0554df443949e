/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * What local caches would do for a fleet: each DataNode's trace is played in a task of a MapReduce
 * job, and one report tells of all.
 */
package io.hdfslocalcache.replay.fleet;
