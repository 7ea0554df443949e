/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Copying pages of admitted blocks to the SSDs, behind the readers' backs: bounded, polite to the
 * data volumes, each page once, nothing that does not match its checksums.
 */
package io.hdfslocalcache.plugin.fill;
