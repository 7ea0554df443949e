/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.fs.Path;

/** Has the pages of a path stay on all DataNodes, up to a quota on each. */
final class Pin implements Verb {
  private static final int MAX_BLOCKS_DEFAULT = 100_000;
  private static final int TIMEOUT_SECONDS_DEFAULT = 60;
  private static final long POLL_MILLIS = 200;

  private final Session session;

  Pin(Session session) {
    this.session = session;
  }

  @Override
  public String name() {
    return "pin";
  }

  @Override
  public String usage() {
    return "pin [--json] [--quota BYTES] [--max-blocks N] [--timeout SECONDS] <path> "
        + DataNodes.USAGE_MANY;
  }

  @Override
  public int run(List<String> args) throws UsageException {
    Options options = Options.parse(
        args, Set.of("--json"), Set.of("--quota", "--max-blocks", "--timeout"));
    int max = options.number("--max-blocks", MAX_BLOCKS_DEFAULT, 10_000_000);
    Duration timeout =
        Duration.ofSeconds(options.number("--timeout", TIMEOUT_SECONDS_DEFAULT, 86_400));
    String quota = options.value("--quota") == null ? "default" : options.value("--quota");
    if (!quota.matches("default|[0-9]+[kmgtKMGT]?")) {
      throw new UsageException("--quota must be a number of bytes such as 200g, got: " + quota);
    }
    String path = path(options.rest());
    List<FileBlock> blocks;
    try {
      blocks = new FileBlocks(session.conf(), session.err()).of(path, max);
    } catch (IOException e) {
      return session.fail(path, e);
    }
    List<String> dataNodes =
        session.dataNodes().named(options.rest().subList(1, options.rest().size()));
    return dataNodes == null ? LocalCacheAdmin.FAILED
        : pin(path, quota, timeout, dataNodes, FileBlocks.byDataNode(blocks), options.has("--json"));
  }

  /** Returns the path, the first argument, without the name of a file system. */
  static String path(List<String> rest) throws UsageException {
    if (rest.isEmpty()) {
      throw new UsageException("expected a path");
    }
    if (!Explain.isPath(rest.get(0))) {
      throw new UsageException("expected an absolute path, got: " + rest.get(0));
    }
    if (rest.get(0).matches(".*[*?\\[\\]{}\\\\].*")) {
      throw new UsageException("expected a path without wildcards, got: " + rest.get(0));
    }
    return new Path(rest.get(0)).toUri().getPath();
  }

  private int pin(String path, String quota, Duration timeout, List<String> dataNodes,
      Map<String, List<FileBlock>> blocks, boolean json) {
    Progress progress = new Progress(session.err(), dataNodes.size(), "DataNode");
    ObjectNode document = Session.object();
    ArrayNode all = document.putArray("dataNodes");
    boolean[] failed = {false};
    FanOut.ask(dataNodes, dn -> pinAndWait(dn, path, quota, timeout, progress), answer -> {
      failed[0] |= answer.failed();
      List<FileBlock> here = blocks.getOrDefault(answer.dataNode(), List.of());
      if (json) {
        add(all.addObject().put("dataNode", answer.dataNode()), answer, here);
      } else if (answer.failed()) {
        session.err().println(answer.dataNode() + ": " + answer.failure());
      } else {
        session.out().println(answer.dataNode() + ": " + text(answer.value(), here));
      }
    });
    if (json) {
      session.print(document);
    }
    return failed[0] ? LocalCacheAdmin.FAILED : LocalCacheAdmin.DONE;
  }

  /** Pins, and waits until the DataNode knows which blocks that means. */
  private JsonNode pinAndWait(String dataNode, String path, String quota, Duration timeout,
      Progress progress) throws IOException {
    session.client().askJson(dataNode, List.of("pin", path, quota));
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      JsonNode pin = find(session.client().askJson(dataNode, List.of("pins")), path);
      if (pin == null) {
        throw new IOException("was unpinned meanwhile by somebody else");
      }
      if (pin.path("lookedUp").asBoolean()) {
        progress.add(1);
        return pin;
      }
      if (System.nanoTime() > deadline) {
        throw new IOException("is pinned, but the DataNode does not know the blocks of the path "
            + "yet; its log tells whether it can ask the NameNode");
      }
      progress.add(0);
      pause();
    }
  }

  private static JsonNode find(JsonNode pins, String path) {
    for (JsonNode pin : pins) {
      if (pin.path("path").asText().equals(path)) {
        return pin;
      }
    }
    return null;
  }

  private static void pause() throws InterruptedIOException {
    try {
      Thread.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  private static long bytes(List<FileBlock> blocks) {
    return blocks.stream().mapToLong(FileBlock::length).sum();
  }

  /** Returns what is pinned on one DataNode, on one line. */
  static String text(JsonNode pin, List<FileBlock> here) {
    long quota = pin.path("quota").asLong();
    return pin.path("path").asText() + " is pinned, quota " + Text.bytes(quota) + "; "
        + Text.count(pin.path("pages").asLong(), "page") + " of "
        + Text.bytes(pin.path("bytes").asLong()) + " cached, of "
        + Text.count(here.size(), "replica") + " of " + Text.bytes(bytes(here))
        + (bytes(here) > quota ? "; that is more than the quota: what was used last stays" : "");
  }

  private static void add(ObjectNode to, Answer<JsonNode> answer, List<FileBlock> here) {
    if (answer.failed()) {
      to.put("error", answer.failure());
    } else {
      to.set("pin", answer.value());
      to.put("replicas", here.size()).put("replicaBytes", bytes(here));
    }
  }
}
