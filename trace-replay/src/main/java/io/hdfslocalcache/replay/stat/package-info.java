/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** What a trace is like: the numbers by which Uber describes its DataNodes, and some more. */
package io.hdfslocalcache.replay.stat;
