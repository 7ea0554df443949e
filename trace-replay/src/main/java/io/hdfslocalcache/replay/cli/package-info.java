/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The command line of {@code bin/trace-replay}, of which
 * {@link io.hdfslocalcache.replay.cli.TraceReplay} is the program.
 */
package io.hdfslocalcache.replay.cli;
