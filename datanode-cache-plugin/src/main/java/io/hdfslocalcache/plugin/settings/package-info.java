/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** What operators change while the DataNode runs: whether the local cache is on, settings and SSDs. */
package io.hdfslocalcache.plugin.settings;
