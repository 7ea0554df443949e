/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Fills pages, whatever was read so far. */
@Command(name = "warm",
    description = {"Fills all pages of a path now, and waits for it.",
        "Each DataNode that has a replica fills it."})
final class Warm extends Verb {
  @Option(names = "--json", description = JSON)
  private boolean json;

  @Option(names = "--max-blocks", paramLabel = "N", defaultValue = "10000",
      description = MAX_BLOCKS)
  private int maxBlocks;

  /** Long enough for a fill that waits behind those that readers asked for. */
  @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "60", description =
      "Gives up a block of which nothing moves for this long (default: ${DEFAULT-VALUE}).")
  private int timeout;

  @Parameters(paramLabel = "PATH", description = "An absolute path, with all that is below it.")
  private String path;

  Warm(Session session) {
    super(session);
  }

  @Override
  int run() throws IOException {
    check("--max-blocks", maxBlocks, 1_000_000);
    check("--timeout", timeout, 86_400);
    checkPath(path);
    List<FileBlock> blocks = new FileBlocks(session.conf(), session.err())
        .named(path, maxBlocks).stream().filter(block -> !block.isParity()).toList();
    Map<String, List<FileBlock>> byDataNode = FileBlocks.byDataNode(blocks);
    Progress progress = new Progress(session.err(),
        byDataNode.values().stream().mapToLong(List::size).sum(), "replica");
    ObjectNode document = Session.object();
    ArrayNode all = document.putArray("dataNodes");
    boolean[] failed = {false};
    FanOut.ask(byDataNode.keySet(), dn -> warm(dn, byDataNode.get(dn), progress),
        answer -> failed[0] |= !report(answer, json ? all : null));
    if (json) {
      session.print(document);
    } else if (byDataNode.isEmpty()) {
      session.out().println(path + ": has no blocks");
    }
    return failed[0] ? Session.FAILED : Session.DONE;
  }

  private WarmRun.Result warm(String dataNode, List<FileBlock> blocks, Progress progress)
      throws IOException {
    checkRoom(session.client().askJson(dataNode, Map.of("command", "status")), blocks);
    return new WarmRun(session.client(), dataNode, Duration.ofSeconds(timeout), progress)
        .run(blocks.stream().collect(Collectors.toMap(FileBlock::name, FileBlock::length,
            (one, same) -> one, LinkedHashMap::new)));
  }

  /** More than there is room for would evict itself, and all else. */
  private static void checkRoom(JsonNode status, List<FileBlock> blocks) throws IOException {
    if (!status.path("on").asBoolean()) {
      throw new IOException("the local cache is off");
    }
    long needed = blocks.stream().mapToLong(FileBlock::length).sum();
    long room = 0;
    for (JsonNode ssd : status.path("ssds")) {
      room += ssd.path("capacityBytes").asLong();
    }
    if (needed > room) {
      throw new IOException("has replicas of " + Text.bytes(needed)
          + " of this path, but its local cache holds only " + Text.bytes(room));
    }
  }

  /** Prints what became of the blocks of one DataNode. @return whether all went well. */
  private boolean report(FanOut.Answer<WarmRun.Result> answer, ArrayNode all) {
    ObjectNode one = all == null ? null : all.addObject().put("dataNode", answer.dataNode());
    if (answer.failed()) {
      if (one != null) {
        one.put("error", answer.failure());
      }
      session.err().println(answer.dataNode() + ": " + answer.failure());
      return false;
    }
    WarmRun.Result result = answer.value();
    List<String> failures = new ArrayList<>();
    result.failures().forEach((block, why) -> failures.add(block + ": " + why));
    if (one != null) {
      one.put("cachedBlocks", result.cachedBlocks());
      one.put("cachedPages", result.cachedPages());
      failures.forEach(one.putArray("failures")::add);
    } else {
      session.out().println(answer.dataNode() + ": " + Text.count(result.cachedBlocks(), "block")
          + " cached, " + Text.count(result.cachedPages(), "page"));
    }
    failures.forEach(why -> session.err().println(answer.dataNode() + ": " + why));
    return failures.isEmpty();
  }
}
