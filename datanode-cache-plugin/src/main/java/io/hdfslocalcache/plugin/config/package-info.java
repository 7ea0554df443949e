/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The settings of the local cache: each key is declared in one place, and checked when the DataNode
 * starts.
 */
package io.hdfslocalcache.plugin.config;
