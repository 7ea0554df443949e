/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The demo: files are loaded and read with skewed popularity, and what the local cache does is
 * shown. {@link io.hdfslocalcache.replay.demo.Demo} is the program, and
 * {@link io.hdfslocalcache.replay.demo.DemoRun} its course.
 */
package io.hdfslocalcache.replay.demo;
