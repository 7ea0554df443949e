/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The demo's and the benchmark's view of local caches: from outside, like an operator. DataNodes'
 * figures come over HTTP.
 */
package io.hdfslocalcache.replay.operator;
