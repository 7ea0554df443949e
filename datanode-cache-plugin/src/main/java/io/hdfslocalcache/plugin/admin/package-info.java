/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The operator's way into a running DataNode: one more protocol on the DataNode's own IPC server,
 * through which {@code hdfs dfsadmin -setLocalCache} and {@code -getLocalCache} switch the local
 * cache and ask for its state. Nothing here knows how the local cache works: it switches a
 * {@link io.hdfslocalcache.plugin.admin.LocalCacheSwitch} and nothing else.
 */
package io.hdfslocalcache.plugin.admin;
