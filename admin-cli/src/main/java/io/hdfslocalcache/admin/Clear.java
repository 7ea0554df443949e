/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;

/** Removes pages from the local cache: those of a path, of a block, or all. */
final class Clear implements Verb {
  private static final int MAX_BLOCKS_DEFAULT = 10_000;

  private final Session session;

  Clear(Session session) {
    this.session = session;
  }

  @Override
  public String name() {
    return "clear";
  }

  @Override
  public String usage() {
    return "clear --path <path> [--max-blocks N] | --block <block_id> | "
        + "<datanode_host:ipc_port>...|livenodes";
  }

  @Override
  public int run(List<String> args) throws UsageException {
    Options options = Options.parse(args, Set.of(), Set.of("--path", "--block", "--max-blocks"));
    int max = options.number("--max-blocks", MAX_BLOCKS_DEFAULT, 1_000_000);
    String path = options.value("--path");
    String block = options.value("--block");
    if (path == null && block == null) {
      return clearAll(options.rest());
    }
    if (path != null && block != null) {
      throw new UsageException("expected --path or --block, not both");
    }
    if (!options.rest().isEmpty()) {
      throw new UsageException("too many arguments: " + String.join(" ", options.rest()));
    }
    if (path != null && !Explain.isPath(path)) {
      throw new UsageException("expected an absolute path, got: " + path);
    }
    String id = block == null ? null : BlockNames.parse(block);
    FileBlocks fileBlocks = new FileBlocks(session.conf());
    try {
      return clear(path == null ? List.of(fileBlocks.ofId(id)) : fileBlocks.of(path, max));
    } catch (IOException e) {
      return session.fail(path == null ? block : path, e);
    }
  }

  /** What takes hours to become warm again is not cleared everywhere by leaving out a word. */
  private int clearAll(List<String> targets) throws UsageException {
    if (targets.isEmpty()) {
      throw new UsageException("expected --path, --block, or whose pages to clear altogether");
    }
    List<String> dataNodes = session.dataNodes().named(targets);
    return dataNodes == null ? LocalCacheAdmin.FAILED
        : ask(dataNodes, dn -> pages(session.client().askJson(dn, List.of("clear", "all"))));
  }

  private int clear(List<FileBlock> blocks) {
    Map<String, List<FileBlock>> byDataNode = FileBlocks.byDataNode(blocks);
    if (byDataNode.isEmpty()) {
      session.out().println("There is no replica to clear.");
    }
    return ask(byDataNode.keySet(), dn -> BlockQuery.ask(session.client(), dn, "clear",
        byDataNode.get(dn).stream().map(FileBlock::name).toList())
        .stream().mapToLong(Clear::pages).sum());
  }

  private static long pages(JsonNode answer) {
    return answer.path("pages").asLong();
  }

  private int ask(Collection<String> dataNodes, FanOut.Question<Long> question) {
    boolean[] failed = {false};
    FanOut.ask(dataNodes, question, answer -> {
      if (answer.failed()) {
        failed[0] = true;
        session.err().println(answer.dataNode() + ": " + answer.failure());
      } else {
        session.out().println(
            answer.dataNode() + ": " + Text.count(answer.value(), "page") + " cleared");
      }
    });
    return failed[0] ? LocalCacheAdmin.FAILED : LocalCacheAdmin.DONE;
  }
}
