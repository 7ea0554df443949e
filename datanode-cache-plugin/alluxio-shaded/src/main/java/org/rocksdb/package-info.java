/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Stand-in for the one type of RocksDB that Alluxio's property table mentions. Relocated when the
 * jar is shaded, so that it never meets a real RocksDB.
 */
package org.rocksdb;
