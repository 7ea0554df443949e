/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Restores the pages on the SSDs after a restart of the DataNode: in the background, and only
 * blocks whose replica the DataNode still has.
 */
package io.hdfslocalcache.plugin.restore;
