/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfslocalcache.admin.FileBlocks.FileBlock;
import io.hdfslocalcache.plugin.config.Sizes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows which pages of each replica of a block are cached, and why. */
@Command(name = "explain",
    description = "Shows where pages of a block are cached, and why it is admitted or not.")
final class Explain extends Verb {
  @Option(names = "--json", description = JSON)
  private boolean json;

  @Option(names = "--max-blocks", paramLabel = "N", defaultValue = "100", description = MAX_BLOCKS)
  private int maxBlocks;

  @Parameters(paramLabel = "PATH|BLOCK", description = "An absolute path, with everything below "
      + "it, or a block id such as blk_1073741825.")
  private String target;

  Explain(Session session) {
    super(session);
  }

  @Override
  int run() throws IOException {
    check("--max-blocks", maxBlocks, 1_000_000);
    List<FileBlock> blocks = new FileBlocks(session.conf()).named(target, maxBlocks);
    Map<String, Map<String, JsonNode>> replicas = new HashMap<>();
    Map<String, String> failures = new HashMap<>();
    ask(FileBlocks.byDataNode(blocks), replicas, failures);
    if (json) {
      session.print(json(blocks, replicas, failures));
    } else {
      print(blocks, replicas, failures);
    }
    return failures.isEmpty() ? Session.DONE : Session.FAILED;
  }

  private void ask(Map<String, List<FileBlock>> blocks,
      Map<String, Map<String, JsonNode>> replicas, Map<String, String> failures) {
    FanOut.ask(blocks.keySet(), dn -> session.client().askBlocks(dn, "block",
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
          .put("length", block.length()).put("parity", block.isParity());
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

  private void print(List<FileBlock> blocks, Map<String, Map<String, JsonNode>> replicas,
      Map<String, String> failures) {
    if (blocks.isEmpty()) {
      session.say(target + ": has no blocks");
    }
    String path = "";
    for (FileBlock block : blocks) {
      if (!block.path().equals(path)) {
        path = block.path();
        session.say(path);
      }
      session.say("  " + block.shortName() + ", " + Sizes.text(block.length())
          + (block.isParity() ? ", parity, read while data is missing" : ""));
      for (String dataNode : block.dataNodes()) {
        if (!failures.containsKey(dataNode)) {
          session.say("    " + dataNode + ": "
              + text(replicas.get(dataNode).get(block.name())));
        }
      }
      if (block.dataNodes().isEmpty()) {
        session.say("    no live replica");
      }
    }
    failures.forEach((dataNode, why) -> session.warn(dataNode + ": " + why));
  }

  /** @return whether the DataNode is in a dry run, so that no page is cached. */
  static boolean isDryRun(JsonNode block) {
    return block.path("ssd").isNull();
  }

  /** @return one DataNode's answer about a block, on one line. */
  static String text(JsonNode block) {
    String reads = block.path("reads").isNumber()
        ? ", " + Text.count(block.path("reads").asLong(), "read") + " counted" : "";
    int cached = block.path("cachedPages").asInt();
    int whole = block.path("wholePages").asInt();
    int pages = block.path("pages").asInt();
    boolean isAdmitted = block.path("admitted").asBoolean();
    // Without a page to admit, the reason decides nothing.
    String decision = pages > 0 && whole == pages ? (isAdmitted ? "" : "but ")
        : isAdmitted ? "admitted: " : "not admitted: ";
    String why = block.path("why").asText();
    return cached + " of " + Text.count(pages, "page")
        + (isDryRun(block) ? " would be cached (dry run)" : " cached on "
            + block.path("ssd").asText() + (block.path("ssdState").isNull() ? ""
                : " (" + block.path("ssdState").asText() + ")"))
        + (whole < cached && !isDryRun(block) ? ", " + whole + " of them whole" : "") + reads
        + (why.isEmpty() ? "" : "; " + decision + why);
  }
}
