/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** The decision on reads and fills, which is the same in a dry run. */
package io.hdfslocalcache.plugin.admission;
