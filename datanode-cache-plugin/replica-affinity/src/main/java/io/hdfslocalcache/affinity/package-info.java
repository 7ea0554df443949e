/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * An optional extension of the NameNode: it sends remote readers of a block to fewer of its
 * replicas, so that fewer local caches hold the same pages.
 */
package io.hdfslocalcache.affinity;
