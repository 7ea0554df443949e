/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.util.List;

/** The local cache of one DataNode, or of all that live: on or off. */
final class Switch {
  private final Session session;

  Switch(Session session) {
    this.session = session;
  }

  /** Prints whether it is on. @return the exit code. */
  int get(List<String> targets) throws IOException {
    return ask(targets, dataNode -> session.client().ask(dataNode, "get"));
  }

  /** Switches it, and prints what it is now. @return the exit code. */
  int set(String wanted, List<String> targets) throws IOException {
    return ask(targets, dataNode -> set(dataNode, wanted));
  }

  private int ask(List<String> targets, FanOut.Question<String> question) throws IOException {
    return session.ask(session.dataNodes().named(targets), question,
        answer -> session.out().println(answer.dataNode() + ": " + answer.value()));
  }

  /** The answer is the state after the call, which may not be what was asked for. */
  private String set(String dataNode, String wanted) throws IOException {
    String answer = session.client().ask(dataNode, "set", wanted);
    if (!answer.equals(wanted) && !answer.startsWith(wanted + " ")) {
      throw new IOException("was asked to switch the local cache " + wanted
          + ", but answers: " + answer);
    }
    return answer;
  }
}
