/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** Replica affinity alone, in a NameNode, and with DataNodes that have a local cache. */
package io.hdfslocalcache.affinity;
