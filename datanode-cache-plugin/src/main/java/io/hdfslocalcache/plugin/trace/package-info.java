/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The trace of clients' reads that a DataNode writes: small enough to be left on, and complete
 * enough to choose the local cache's settings. Nothing here depends on how hits are served.
 */
package io.hdfslocalcache.plugin.trace;
