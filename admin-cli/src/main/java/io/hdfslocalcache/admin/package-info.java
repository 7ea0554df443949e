/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The operator's commands, one class per verb. {@link io.hdfslocalcache.admin.LocalCacheAdmin} is
 * the front door: the patched {@code hdfs dfsadmin} hands its arguments to it, and it runs by
 * itself where dfsadmin is not patched. It needs nothing but Hadoop's common and HDFS client jars,
 * as it lives on the class path of every Hadoop tool.
 */
package io.hdfslocalcache.admin;
