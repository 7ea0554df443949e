/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The operator's way into a running DataNode: one more protocol on the DataNode's own IPC server,
 * through which {@code hdfs dfsadmin -setLocalCache}, {@code -getLocalCache} and {@code hdfs
 * localcache} switch the local cache, look into it, and change what is in it.
 */
package io.hdfslocalcache.plugin.admin;
