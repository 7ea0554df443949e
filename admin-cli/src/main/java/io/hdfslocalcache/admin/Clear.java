/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfslocalcache.admin.FileBlocks.FileBlock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Removes pages from the local cache. */
@Command(name = "clear", customSynopsis = "hdfs localcache clear [-h] "
    + "(--path=PATH [--max-blocks=N] | --block=BLOCK | DATANODES...)",
    description = "Removes the pages of a path, of a block, or all pages of DataNodes.")
final class Clear extends Verb {
  @Option(names = "--path", paramLabel = "PATH",
      description = "Removes the pages of this path and everything below it.")
  private String path;

  @Option(names = "--max-blocks", paramLabel = "N", defaultValue = "10000",
      description = MAX_BLOCKS)
  private int maxBlocks;

  @Option(names = "--block", paramLabel = "BLOCK",
      description = "Removes the pages of this block, such as blk_1073741825.")
  private String block;

  @Parameters(arity = "0..*", paramLabel = DataNodes.LABEL,
      description = "Removes all pages of these DataNodes. " + DataNodes.DESCRIPTION + ".")
  private List<String> targets = List.of();

  Clear(Session session) {
    super(session);
  }

  @Override
  int run() throws IOException {
    check("--max-blocks", maxBlocks, 1_000_000);
    if (path == null && block == null) {
      return clearAll();
    }
    if (path != null && block != null) {
      throw wrong("expected --path or --block, not both");
    }
    if (!targets.isEmpty()) {
      throw wrong("expected no DATANODES beside --path or --block, got: "
          + String.join(" ", targets));
    }
    if (path == null) {
      FileBlock.parse(block);
    } else {
      checkPath(path);
    }
    return clear(new FileBlocks(session.conf()).named(path == null ? block : path, maxBlocks));
  }

  /** Names are required: refilling a cluster takes hours, so a missing word must not clear it. */
  private int clearAll() throws IOException {
    if (targets.isEmpty()) {
      throw wrong("expected --path, --block, or the DataNodes to clear");
    }
    return ask(session.dataNodes().named(targets),
        dn -> List.of(session.client().askJson(dn, Map.of("command", "clear", "all", true))));
  }

  private int clear(List<FileBlock> blocks) {
    Map<String, List<FileBlock>> byDataNode = FileBlocks.byDataNode(blocks);
    if (byDataNode.isEmpty()) {
      session.say("There is no replica to clear.");
    }
    return ask(byDataNode.keySet(), dn -> session.client().askBlocks(dn, "clear",
        byDataNode.get(dn).stream().map(FileBlock::name).toList()));
  }

  /** A DataNode answers when the pages are no longer used, and does not wait for its SSDs. */
  private int ask(Collection<String> dataNodes, FanOut.Question<List<JsonNode>> question) {
    return session.ask(dataNodes, dn -> text(question.ask(dn)),
        answer -> session.say(answer.dataNode() + ": " + answer.value()));
  }

  /** @throws IOException if pages may come back */
  private static String text(List<JsonNode> answers) throws IOException {
    Set<String> mayComeBack = new TreeSet<>();
    answers.forEach(answer ->
        answer.path("mayComeBack").forEach(ssd -> mayComeBack.add(ssd.asText())));
    String cleared = Text.count(
        answers.stream().mapToLong(answer -> answer.path("pages").asLong()).sum(), "page")
        + " cleared";
    if (!mayComeBack.isEmpty()) {
      throw new IOException(
          cleared + ", but may come back: " + String.join("; ", mayComeBack));
    }
    boolean isDryRun = answers.stream().anyMatch(answer -> answer.path("dryRun").asBoolean());
    // Each answer of one DataNode says the same.
    String notFilling = answers.get(answers.size() - 1).path("notFilling").asText();
    return cleared + (isDryRun ? " (dry run)" : "")
        + (notFilling.isEmpty() ? "" : "; not filling: " + notFilling);
  }
}
