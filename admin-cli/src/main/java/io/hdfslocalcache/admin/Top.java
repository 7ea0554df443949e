/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfslocalcache.admin.FileBlocks.FileBlock;
import io.hdfslocalcache.admin.Verb.AskEach;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the hottest cached blocks of all DataNodes together, with the files they belong to. */
@Command(name = "top",
    description = "Shows the hottest cached blocks, with their files.")
final class Top extends AskEach {
  private static final int N_MAX = 1000;

  /** A cached block of one DataNode. */
  private record Row(String dataNode, JsonNode block) {
    long reads() {
      return block.path("reads").asLong(-1);
    }

    long pages() {
      return block.path("cachedPages").asLong();
    }

    String name() {
      return block.path("block").asText();
    }
  }

  @Option(names = "--n", paramLabel = "N", defaultValue = "10",
      description = "Number of blocks, at most " + N_MAX + " (default: ${DEFAULT-VALUE}).")
  private int n;

  @Option(names = "--by", paramLabel = "reads|pages", defaultValue = "reads",
      description = "The order: by reads or by cached pages (default: ${DEFAULT-VALUE}).")
  private String by;

  Top(Session session) {
    super(session);
  }

  @Override
  int run() throws IOException {
    check("--n", n, N_MAX);
    if (!by.equals("reads") && !by.equals("pages")) {
      throw wrong("--by must be reads or pages, got: " + by);
    }
    List<Row> rows = new ArrayList<>();
    int exitCode = session.ask(dataNodes(),
        dn -> session.client().askJson(dn, Map.of("command", "top", "n", n, "by", by)), answer ->
            answer.value().forEach(block -> rows.add(new Row(answer.dataNode(), block))));
    rows.sort(order(by));
    print(rows.subList(0, Math.min(n, rows.size())));
    return exitCode;
  }

  private static Comparator<Row> order(String by) {
    Comparator<Row> coldestFirst = by.equals("reads")
        ? Comparator.comparingLong(Row::reads).thenComparing(Row::pages)
        : Comparator.comparingLong(Row::pages).thenComparing(Row::reads);
    return coldestFirst.reversed().thenComparing(Row::name);
  }

  private void print(List<Row> rows) {
    Map<String, String> paths = paths(rows);
    if (json) {
      session.print(json(rows, paths));
      return;
    }
    String format = "%7s  %11s  %-24s  %-21s  %s";
    session.say(String.format(format, "READS", "PAGES", "BLOCK", "DATANODE", "PATH"));
    for (Row row : rows) {
      session.say(String.format(Locale.ROOT, format, row.reads() < 0 ? "-" : row.reads(),
          row.pages() + "/" + row.block().path("pages").asLong(),
          FileBlock.withoutPool(row.name()), row.dataNode(),
          paths.getOrDefault(row.name(), "-")));
    }
    rows.stream().filter(row -> Explain.isDryRun(row.block())).map(Row::dataNode).distinct()
        .forEach(dataNode -> session.say(dataNode + ": would be cached (dry run)"));
  }

  private static JsonNode json(List<Row> rows, Map<String, String> paths) {
    ObjectNode document = Session.object();
    ArrayNode all = document.putArray("blocks");
    for (Row row : rows) {
      ObjectNode one = all.addObject().put("dataNode", row.dataNode())
          .put("path", paths.get(row.name()));
      one.set("replica", row.block());
    }
    return document;
  }

  /**
   * The NameNode's answer has lines, so a name with a line break is not whole, and no file. Another
   * file may have the path of one that only a snapshot has.
   */
  private String pool(Collection<String> paths) throws IOException {
    IOException failure = null;
    for (String path : paths) {
      try {
        return new FileBlocks(session.conf()).poolOf(path);
      } catch (FileNotFoundException e) {
        failure = e;
      }
    }
    throw failure;
  }

  /** The NameNode of another name service may use the same block ids for other files. */
  private Map<String, String> paths(List<Row> rows) {
    Map<String, String> byName = new HashMap<>();
    try {
      Map<String, String> byId = new FileBlocks(session.conf()).paths(
          rows.stream().map(row -> FileBlock.withoutPool(row.name())).distinct().toList());
      if (byId.isEmpty()) {
        return byName;
      }
      String pool = pool(byId.values());
      for (Row row : rows) {
        String path = byId.get(FileBlock.withoutPool(row.name()));
        if (path != null && row.name().startsWith(pool + ":")) {
          byName.put(row.name(), path);
        }
      }
    } catch (IOException e) {
      session.warn("Cannot get the paths from the NameNode: " + Failure.describe(e));
    }
    return byName;
  }
}
