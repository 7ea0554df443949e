/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The operator's rules: which clients' reads and which paths are cached whatever the rate limiter
 * says, stay cached, or are never cached; and how much space they may take. Paths are resolved to
 * block ids in the background, so a read only looks into a table.
 */
package io.hdfslocalcache.plugin.rules;
