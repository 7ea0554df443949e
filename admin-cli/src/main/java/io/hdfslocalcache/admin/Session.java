/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.io.PrintStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.conf.Configuration;

/**
 * What the verbs of {@code hdfs localcache} have in common.
 *
 * @param out for results
 * @param err for errors and progress
 */
record Session(
    Configuration conf, PrintStream out, PrintStream err, DataNodes dataNodes,
    DataNodeClient client) {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Returns an empty JSON object. */
  static ObjectNode object() {
    return JSON.createObjectNode();
  }

  /** Prints one JSON document. */
  void print(JsonNode document) {
    try {
      out.println(JSON.writeValueAsString(document));
    } catch (IOException e) {
      throw new IllegalStateException("a tree can always be written", e);
    }
  }

  /** Prints why nothing could be done. @return the exit code. */
  int fail(String what, IOException failure) {
    err.println(what + ": " + Failure.describe(failure));
    return LocalCacheAdmin.FAILED;
  }
}
