/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The operator's commands to a running DataNode: a protocol on the DataNode's IPC server, used by
 * {@code hdfs dfsadmin -setLocalCache}, {@code -getLocalCache} and {@code hdfs localcache}.
 */
package io.hdfslocalcache.plugin.admin;
