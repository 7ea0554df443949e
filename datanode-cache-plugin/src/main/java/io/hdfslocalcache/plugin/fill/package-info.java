/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Copies pages of admitted blocks to the SSDs, from the reads that miss them or in the background:
 * bounded, each part once, and verified by checksums.
 */
package io.hdfslocalcache.plugin.fill;
