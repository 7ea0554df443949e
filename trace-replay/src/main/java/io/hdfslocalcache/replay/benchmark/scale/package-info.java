/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** Many files and many readers. */
package io.hdfslocalcache.replay.benchmark.scale;
