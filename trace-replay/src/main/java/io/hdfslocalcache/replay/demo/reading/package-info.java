/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * What the demo's clients do: files are loaded, and read through ordinary HDFS clients that
 * compare every byte with the file that it came from.
 */
package io.hdfslocalcache.replay.demo.reading;
