/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** One decision on reads and fills, which the local cache and its ghosts carry out. */
package io.hdfslocalcache.plugin.admission;
