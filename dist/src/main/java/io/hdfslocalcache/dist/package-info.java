/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** Java programs of the build of the distribution and of its {@code install.sh}. */
package io.hdfslocalcache.dist;
