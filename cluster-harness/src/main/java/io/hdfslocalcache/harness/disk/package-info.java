/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** Emulated disks, process groups for which they are slow, and the kernel's counters. */
package io.hdfslocalcache.harness.disk;
