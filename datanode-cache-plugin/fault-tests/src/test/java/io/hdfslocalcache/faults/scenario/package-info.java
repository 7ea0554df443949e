/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** Scenarios; they need root, FUSE and minutes. Profile {@code fault-tests}. */
package io.hdfslocalcache.faults.scenario;
