/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package org.apache.hadoop.hdfs.server.datanode;

import java.io.IOException;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.classification.InterfaceStability;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;

/** Who reads. Used by one thread. */
@InterfaceAudience.LimitedPrivate("DataNode local cache")
@InterfaceStability.Unstable
public final class ReadingClient {

  private final String name;
  private final String address;
  private final Token<BlockTokenIdentifier> token;

  /**
   * A client as it came to the DataNode.
   *
   * @param name what it calls itself
   * @param address where it is, without a port
   * @param token what gives it the right to read; empty if the cluster asks for none
   */
  public ReadingClient(String name, String address, Token<BlockTokenIdentifier> token) {
    this.name = name;
    this.address = address;
    this.token = token;
  }

  /** @return what the client calls itself, which nobody checks; empty for a DataNode. */
  public String name() {
    return name;
  }

  /** @return the address it reads from, without a port. */
  public String address() {
    return address;
  }

  /**
   * The user to whom the NameNode gave the right to read. Costs a little: not kept.
   *
   * @return the user's name, or empty if the cluster does without block tokens
   */
  public String user() {
    try {
      BlockTokenIdentifier identifier =
          token == null || token.getIdentifier().length == 0 ? null : token.decodeIdentifier();
      return identifier == null || identifier.getUserId() == null ? "" : identifier.getUserId();
    } catch (IOException e) {
      return "";
    }
  }
}
