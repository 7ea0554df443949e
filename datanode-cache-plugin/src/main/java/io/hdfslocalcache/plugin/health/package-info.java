/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * How the local cache handles an SSD that fails, returns corrupt data, slows down or hangs: a state
 * for each SSD, threads in which its I/O may block without blocking readers, and probes that bring
 * it back.
 */
package io.hdfslocalcache.plugin.health;
