/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Brings back, after a restart of the DataNode, the pages that are on the SSDs: in the background,
 * each block only if the DataNode still has the replica it was copied from.
 */
package io.hdfslocalcache.plugin.restore;
