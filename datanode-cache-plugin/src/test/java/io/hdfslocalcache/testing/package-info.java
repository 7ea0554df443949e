/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** The local cache on a real mini cluster, for tests of this and other modules. */
package io.hdfslocalcache.testing;
