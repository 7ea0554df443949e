/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The adapter between the local cache and the DataNode: the only package that may import classes of
 * {@code org.apache.hadoop.hdfs.server.datanode}.
 */
package io.hdfslocalcache.plugin.hdfs;
