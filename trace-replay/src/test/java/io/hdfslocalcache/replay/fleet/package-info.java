/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** Tests of {@code io.hdfslocalcache.replay.fleet}. */
package io.hdfslocalcache.replay.fleet;
