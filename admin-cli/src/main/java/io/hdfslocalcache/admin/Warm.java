/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Fills all pages of a path now, on each DataNode that has a replica, whatever was read so far. */
final class Warm implements Verb {
  private static final int MAX_BLOCKS_DEFAULT = 10_000;
  /** Long enough for a fill that waits behind those that readers asked for. */
  private static final int TIMEOUT_SECONDS_DEFAULT = 60;

  private final Session session;

  Warm(Session session) {
    this.session = session;
  }

  @Override
  public String name() {
    return "warm";
  }

  @Override
  public String usage() {
    return "warm [--json] [--max-blocks N] [--timeout SECONDS] <path>";
  }

  @Override
  public int run(List<String> args) throws UsageException {
    Options options =
        Options.parse(args, Set.of("--json"), Set.of("--max-blocks", "--timeout"));
    int max = options.number("--max-blocks", MAX_BLOCKS_DEFAULT, 1_000_000);
    Duration timeout =
        Duration.ofSeconds(options.number("--timeout", TIMEOUT_SECONDS_DEFAULT, 86_400));
    String path = options.only("a path");
    if (!Explain.isPath(path)) {
      throw new UsageException("expected an absolute path, got: " + path);
    }
    List<FileBlock> blocks;
    try {
      blocks = new FileBlocks(session.conf(), session.err()).of(path, max);
    } catch (IOException e) {
      return session.fail(path, e);
    }
    Map<String, List<FileBlock>> byDataNode = FileBlocks.byDataNode(blocks);
    Progress progress = new Progress(session.err(),
        byDataNode.values().stream().mapToLong(List::size).sum(), "replica");
    ObjectNode document = Session.object();
    ArrayNode all = document.putArray("dataNodes");
    boolean[] failed = {false};
    FanOut.ask(byDataNode.keySet(), dn -> warm(dn, byDataNode.get(dn), timeout, progress),
        answer -> failed[0] |= !report(answer, options.has("--json") ? all : null));
    if (options.has("--json")) {
      session.print(document);
    } else if (byDataNode.isEmpty()) {
      session.out().println(path + ": has no blocks");
    }
    return failed[0] ? LocalCacheAdmin.FAILED : LocalCacheAdmin.DONE;
  }

  private WarmRun.Result warm(String dataNode, List<FileBlock> blocks, Duration timeout,
      Progress progress) throws IOException {
    checkRoom(session.client().askJson(dataNode, List.of("status")), blocks);
    return new WarmRun(session.client(), dataNode, timeout, progress)
        .run(blocks.stream().map(FileBlock::name).toList());
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
  private boolean report(Answer<WarmRun.Result> answer, ArrayNode json) {
    ObjectNode one = json == null ? null : json.addObject().put("dataNode", answer.dataNode());
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
