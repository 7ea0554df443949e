/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package org.rocksdb;

/**
 * Stands in for the enum of RocksDB that Alluxio's property table names as the type of one
 * property of its master. The table is built when the first class of Alluxio is initialised, and
 * that fails without this type. The real one comes in a jar of 54 MB.
 */
public enum CompressionType {
  /** The default of the property, and the only constant that the table mentions. */
  LZ4_COMPRESSION
}
