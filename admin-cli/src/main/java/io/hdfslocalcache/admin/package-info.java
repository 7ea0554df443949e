/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The operator's verbs, one class each; most send commands to DataNodes. There are two entry
 * points: {@link io.hdfslocalcache.admin.LocalCacheCommand} is {@code hdfs localcache};
 * {@link io.hdfslocalcache.admin.LocalCacheAdmin} is called by the patched {@code hdfs dfsadmin}.
 * The latter needs only Hadoop's common and HDFS client jars, because it is on the class path of
 * every Hadoop tool; finding the file of a block also needs HDFS's own jar.
 */
package io.hdfslocalcache.admin;
