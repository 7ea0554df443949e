/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** Removes pages of changed replicas, and measures how soon. */
package io.hdfslocalcache.plugin.invalidation;
