/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** Tests of installing, uninstalling, and of what is installed. */
package io.hdfslocalcache.dist;
