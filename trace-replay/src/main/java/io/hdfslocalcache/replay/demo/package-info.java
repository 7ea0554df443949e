/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** The demo, and the reader that verifies what it reads. */
package io.hdfslocalcache.replay.demo;
