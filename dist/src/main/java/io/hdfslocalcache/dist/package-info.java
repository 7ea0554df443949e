/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** What the build of the distribution, and its {@code install.sh}, need beside shell scripts. */
package io.hdfslocalcache.dist;
