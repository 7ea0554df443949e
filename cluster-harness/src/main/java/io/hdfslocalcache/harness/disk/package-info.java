/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** Emulated disks, groups of processes that they are slow for, and what the kernel counts. */
package io.hdfslocalcache.harness.disk;
