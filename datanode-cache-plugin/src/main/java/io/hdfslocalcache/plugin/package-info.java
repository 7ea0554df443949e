/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The local cache of a DataNode. Start reading at {@link io.hdfslocalcache.plugin.LocalCache}, the
 * front door; {@code plugin.hdfs} is the only package that uses the DataNode's classes.
 */
package io.hdfslocalcache.plugin;
