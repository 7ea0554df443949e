/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Starts and ends what a test, a benchmark or a demo needs beside itself: programs, and Hadoop's
 * daemons in processes of their own. Sees no class of Hadoop: a daemon has the class path that it is given.
 */
package io.hdfslocalcache.harness;
