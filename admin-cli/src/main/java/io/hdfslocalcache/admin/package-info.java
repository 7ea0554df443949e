/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The operator's verbs, one class each; most send commands to DataNodes. There are two front doors:
 * {@link io.hdfslocalcache.admin.LocalCacheCommand} is {@code hdfs localcache}; to
 * {@link io.hdfslocalcache.admin.LocalCacheAdmin} the patched {@code hdfs dfsadmin} hands its
 * arguments. The latter needs nothing but Hadoop's common and HDFS client jars, as it lives on the
 * class path of every Hadoop tool; finding the file of a block needs HDFS's own jar, too.
 */
package io.hdfslocalcache.admin;
