/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package org.apache.hadoop.hdfs.server.datanode;

import java.io.IOException;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.classification.InterfaceStability;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;

/** A reading client. Used by one thread. */
@InterfaceAudience.LimitedPrivate("DataNode local cache")
@InterfaceStability.Unstable
public final class ReadingClient {

  private final String name;
  private final String address;
  private final Token<BlockTokenIdentifier> token;

  /**
   * Creates a client from its request.
   *
   * @param name the name that it sends
   * @param address its address, without a port
   * @param token its block token; empty if the cluster uses none
   */
  public ReadingClient(String name, String address, Token<BlockTokenIdentifier> token) {
    this.name = name;
    this.address = address;
    this.token = token;
  }

  /** @return the name that the client sends, unchecked; empty for a DataNode. */
  public String name() {
    return name;
  }

  /** @return the client's address, without a port. */
  public String address() {
    return address;
  }

  /**
   * The user in the block token. Costs a little, as it is not stored.
   *
   * @return the user's name, or empty if the cluster uses no block tokens
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
