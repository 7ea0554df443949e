/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Shows what each replica of a block has in the local cache, and why, or why not. */
final class Explain implements Verb {
  private static final int MAX_BLOCKS_DEFAULT = 100;

  private final Session session;

  Explain(Session session) {
    this.session = session;
  }

  @Override
  public String name() {
    return "explain";
  }

  @Override
  public String usage() {
    return "explain [--json] [--max-blocks N] <path|block_id>";
  }

  @Override
  public int run(List<String> args) throws UsageException {
    Options options = Options.parse(args, Set.of("--json"), Set.of("--max-blocks"));
    int max = options.number("--max-blocks", MAX_BLOCKS_DEFAULT, 1_000_000);
    String target = options.only("a path or a block id");
    String id = isPath(target) ? null : BlockNames.parse(target);
    List<FileBlock> blocks;
    try {
      FileBlocks fileBlocks = new FileBlocks(session.conf());
      blocks = id == null ? fileBlocks.of(target, max) : List.of(fileBlocks.ofId(id));
    } catch (IOException e) {
      return session.fail(target, e);
    }
    Map<String, Map<String, JsonNode>> replicas = new HashMap<>();
    Map<String, String> failures = new HashMap<>();
    ask(FileBlocks.byDataNode(blocks), replicas, failures);
    if (options.has("--json")) {
      session.print(json(blocks, replicas, failures));
    } else {
      print(target, blocks, replicas, failures);
    }
    return failures.isEmpty() ? LocalCacheAdmin.DONE : LocalCacheAdmin.FAILED;
  }

  static boolean isPath(String target) {
    return target.startsWith("/") || target.contains("://");
  }

  private void ask(Map<String, List<FileBlock>> blocks,
      Map<String, Map<String, JsonNode>> replicas, Map<String, String> failures) {
    FanOut.ask(blocks.keySet(), dn -> BlockQuery.ask(session.client(), dn, "block",
        blocks.get(dn).stream().map(FileBlock::name).toList()), answer -> {
          if (answer.failed()) {
            failures.put(answer.dataNode(), answer.failure());
            return;
          }
          Map<String, JsonNode> byName = new HashMap<>();
          answer.value().forEach(batch -> batch.forEach(
              block -> byName.put(block.path("block").asText(), block)));
          replicas.put(answer.dataNode(), byName);
        });
  }

  private static JsonNode json(List<FileBlock> blocks,
      Map<String, Map<String, JsonNode>> replicas, Map<String, String> failures) {
    ObjectNode document = Session.object();
    ArrayNode all = document.putArray("blocks");
    for (FileBlock block : blocks) {
      ObjectNode one = all.addObject().put("path", block.path()).put("block", block.name())
          .put("length", block.length());
      ArrayNode ofBlock = one.putArray("replicas");
      for (String dataNode : block.dataNodes()) {
        ObjectNode replica = ofBlock.addObject().put("dataNode", dataNode);
        if (failures.containsKey(dataNode)) {
          replica.put("error", failures.get(dataNode));
        } else {
          replica.set("replica", replicas.get(dataNode).get(block.name()));
        }
      }
    }
    return document;
  }

  private void print(String target, List<FileBlock> blocks,
      Map<String, Map<String, JsonNode>> replicas, Map<String, String> failures) {
    if (blocks.isEmpty()) {
      session.out().println(target + ": has no blocks");
    }
    String path = "";
    for (FileBlock block : blocks) {
      if (!block.path().equals(path)) {
        path = block.path();
        session.out().println(path);
      }
      session.out().println("  " + block.shortName() + ", " + Text.bytes(block.length()));
      for (String dataNode : block.dataNodes()) {
        if (!failures.containsKey(dataNode)) {
          session.out().println("    " + dataNode + ": "
              + text(replicas.get(dataNode).get(block.name())));
        }
      }
      if (block.dataNodes().isEmpty()) {
        session.out().println("    no live replica");
      }
    }
    failures.forEach((dataNode, why) -> session.err().println(dataNode + ": " + why));
  }

  /** Returns what one DataNode says of a block, on one line. */
  static String text(JsonNode block) {
    String reads = block.path("reads").isNumber()
        ? ", " + Text.count(block.path("reads").asLong(), "read") + " counted" : "";
    return block.path("cachedPages").asInt() + " of "
        + Text.count(block.path("pages").asInt(), "page") + " cached on "
        + block.path("ssd").asText() + " (" + block.path("ssdState").asText() + ")" + reads + "; "
        + (block.path("admitted").asBoolean() ? "admitted: " : "not admitted: ")
        + block.path("why").asText();
  }
}
