/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** Clocks, threads and waits. */
package io.hdfslocalcache.time;
