/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Blocks and replicas as the local cache sees them, and what it needs from the DataNode. Uses no
 * class of the DataNode.
 */
package io.hdfslocalcache.plugin.block;
