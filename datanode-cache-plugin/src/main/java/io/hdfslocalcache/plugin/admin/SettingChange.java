/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

/**
 * A setting that was changed while the DataNode runs.
 *
 * @param key the whole key
 * @param before what was in force
 * @param after what is in force now
 * @param configured what the configuration says, which comes back with a restart
 * @param note what else an operator should know; empty if there is nothing
 */
public record SettingChange(
    String key, String before, String after, String configured, String note) {
}
