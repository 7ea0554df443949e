/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.util.ArrayList;
import java.util.List;

/** {@code on} and {@code off}: what {@code dfsadmin -setLocalCache} does. */
final class SwitchTo implements Verb {
  private final String state;
  private final SetLocalCache set;

  SwitchTo(String state, Session session) {
    this.state = state;
    this.set = new SetLocalCache(session.dataNodes(), session.client());
  }

  @Override
  public String name() {
    return state;
  }

  @Override
  public String usage() {
    return state + " " + DataNodes.USAGE;
  }

  @Override
  public int run(List<String> args) throws UsageException {
    List<String> all = new ArrayList<>(List.of(state));
    all.addAll(args);
    return set.run(all);
  }
}
