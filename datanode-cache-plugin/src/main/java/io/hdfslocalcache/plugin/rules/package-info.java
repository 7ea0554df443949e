/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The operator's rules: which clients' reads, and which paths, enter the local cache whatever the
 * rate limiter says, stay in it, or never enter; and how much of it they may take. Paths are turned
 * into block ids in the background, so a read asks a table and nobody else.
 */
package io.hdfslocalcache.plugin.rules;
