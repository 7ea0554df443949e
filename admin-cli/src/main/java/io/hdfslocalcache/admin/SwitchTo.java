/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.util.List;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code on} and {@code off}: what {@code dfsadmin -setLocalCache} does. */
@Command(description = "Switches the local cache ${COMMAND-NAME} until the DataNode restarts, as "
    + "hdfs dfsadmin -setLocalCache ${COMMAND-NAME} does.")
final class SwitchTo extends Verb {

  @Parameters(arity = "0..1", paramLabel = "DATANODE", description = "The host:ipc_port of one "
      + "DataNode, or livenodes for all that the NameNode takes for alive (default: livenodes).")
  private String dataNode;

  SwitchTo(Session session) {
    super(session);
  }

  @Override
  int run() throws IOException {
    return new Switch(session).set(spec.name(), dataNode == null ? List.of() : List.of(dataNode));
  }
}
