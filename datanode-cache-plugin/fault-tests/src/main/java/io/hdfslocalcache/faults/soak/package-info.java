/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** The program behind {@code bin/soak}: all faults at random, for minutes. */
package io.hdfslocalcache.faults.soak;
