/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Shared by tests, benchmarks and the demo: starts, awaits and ends programs and Hadoop's daemons
 * in separate processes, reads /jmx, and formats tables and charts. Uses no class of Hadoop: a
 * daemon gets its own class path.
 */
package io.hdfslocalcache.harness;
