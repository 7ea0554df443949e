/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * What the local cache does about an SSD that fails, lies, slows down or hangs: a state for each
 * SSD, threads in which its I/O may block without blocking a reader, and probes by which it proves
 * itself again.
 */
package io.hdfslocalcache.plugin.health;
