/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** Random operations on a cluster with and one without a local cache, which must agree. */
package io.hdfslocalcache.plugin.oracle;
