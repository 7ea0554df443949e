/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.util.List;

/** Switches the local cache of one DataNode, or of all that live, on or off. */
final class SetLocalCache implements Verb {
  private final DataNodes dataNodes;
  private final DataNodeClient client;

  SetLocalCache(DataNodes dataNodes, DataNodeClient client) {
    this.dataNodes = dataNodes;
    this.client = client;
  }

  @Override
  public String name() {
    return "-setLocalCache";
  }

  @Override
  public String usage() {
    return name() + " <on|off> " + DataNodes.USAGE;
  }

  @Override
  public int run(List<String> args) throws UsageException {
    if (args.isEmpty()) {
      throw new UsageException("expected on or off");
    }
    String wanted = args.get(0);
    if (!wanted.equals("on") && !wanted.equals("off")) {
      throw new UsageException("expected on or off, got: " + wanted);
    }
    return dataNodes.ask(args.subList(1, args.size()), dataNode -> set(dataNode, wanted));
  }

  /** The answer is the state after the call, which may not be what was asked for. */
  private String set(String dataNode, String wanted) throws IOException {
    String answer = client.ask(dataNode, "set", wanted);
    if (!answer.equals(wanted) && !answer.startsWith(wanted + " ")) {
      throw new IOException("was asked to switch the local cache " + wanted
          + ", but answers: " + answer);
    }
    return answer;
  }
}
