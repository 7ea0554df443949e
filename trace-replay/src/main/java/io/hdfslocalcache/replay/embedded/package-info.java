/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * A real NameNode and real DataNodes with the local cache, for the demo and the benchmark. The only
 * package here that starts daemons, and only through the cluster harness.
 */
package io.hdfslocalcache.replay.embedded;
