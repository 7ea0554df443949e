/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import io.hdfslocalcache.bench.e2e.cluster.Cluster;
import io.hdfslocalcache.bench.e2e.cluster.DataNodeProcess;
import io.hdfslocalcache.bench.e2e.cluster.Variant;

/**
 * One of the DataNodes that are up side by side.
 *
 * @param variant which it is
 * @param cluster it and its NameNode
 * @param node its process
 */
record Member(Variant variant, Cluster cluster, DataNodeProcess node) {

  String name() {
    return variant.name();
  }
}
