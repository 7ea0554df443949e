/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Tests of the finished jar. They use the relocated names, so they are compiled and run after it
 * is packaged, on the class path that a DataNode has, where the unrelocated Alluxio is absent.
 */
package io.hdfslocalcache.shaded;
