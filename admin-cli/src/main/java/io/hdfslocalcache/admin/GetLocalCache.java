/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.util.List;

/** Asks one DataNode, or all that live, whether the local cache is on. */
final class GetLocalCache implements Verb {
  private final DataNodes dataNodes;
  private final DataNodeClient client;

  GetLocalCache(DataNodes dataNodes, DataNodeClient client) {
    this.dataNodes = dataNodes;
    this.client = client;
  }

  @Override
  public String name() {
    return "-getLocalCache";
  }

  @Override
  public String usage() {
    return name() + " " + DataNodes.USAGE;
  }

  @Override
  public int run(List<String> args) throws UsageException {
    return dataNodes.ask(args, dataNode -> client.ask(dataNode, "get"));
  }
}
