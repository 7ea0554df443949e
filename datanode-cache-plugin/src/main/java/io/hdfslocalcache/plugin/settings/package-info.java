/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** Changes by operators while the DataNode runs: the on/off switch, settings and SSDs. */
package io.hdfslocalcache.plugin.settings;
