/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** Removing what is no longer true from the SSDs, and proving how soon that was. */
package io.hdfslocalcache.plugin.invalidation;
