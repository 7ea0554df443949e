/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** Numbers as people read them. */
package io.hdfslocalcache.replay.text;
