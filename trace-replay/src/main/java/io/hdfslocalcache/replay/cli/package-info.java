/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The command line of {@code bin/trace-replay}; {@link io.hdfslocalcache.replay.cli.TraceReplay} is
 * the main class.
 */
package io.hdfslocalcache.replay.cli;
