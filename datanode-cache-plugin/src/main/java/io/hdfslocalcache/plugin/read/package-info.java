/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * A client's read: the source of each byte, and the outcome.
 */
package io.hdfslocalcache.plugin.read;
