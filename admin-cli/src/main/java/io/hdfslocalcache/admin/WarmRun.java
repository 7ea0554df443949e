/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Has the blocks of one DataNode filled, a few at a time: the fills that readers ask for share a
 * queue with them.
 */
final class WarmRun {
  private static final int AT_ONCE = 4;

  /**
   * What became of the blocks.
   *
   * @param failures why not, by block
   */
  record Result(int cachedBlocks, long cachedPages, Map<String, String> failures) {
  }

  private final DataNodeClient client;
  private final String dataNode;
  private final long timeoutNanos;
  private final Progress progress;
  private final Deque<String> waiting = new ArrayDeque<>();
  /** Cached pages when last asked. */
  private final Map<String, Integer> filling = new LinkedHashMap<>();
  private final Map<String, String> failures = new LinkedHashMap<>();
  private int cachedBlocks;
  private long cachedPages;
  private Map<String, Long> lengths = Map.of();
  /** Of blocks that were not there before. */
  private long filledBytes;
  private int giveUps;
  private long lastProgress = System.nanoTime();

  /**
   * Makes a run.
   *
   * @param timeout how long to wait when nothing moves
   * @param progress told of each block that is done
   */
  WarmRun(DataNodeClient client, String dataNode, Duration timeout, Progress progress) {
    this.client = client;
    this.dataNode = dataNode;
    this.timeoutNanos = timeout.toNanos();
    this.progress = progress;
  }

  /**
   * Has blocks filled and waits for it.
   *
   * @param blocks the length in bytes of each, by name with pool
   * @throws IOException when the DataNode stops answering, or the command is interrupted
   */
  Result run(Map<String, Long> blocks) throws IOException {
    waiting.addAll(blocks.keySet());
    lengths = blocks;
    while (true) {
      int before = done();
      long bytesBefore = filledBytes;
      look();
      begin();
      progress.add(done() - before, filledBytes - bytesBefore);
      if (waiting.isEmpty() && filling.isEmpty()) {
        return new Result(cachedBlocks, cachedPages, failures);
      }
      if (System.nanoTime() - lastProgress > timeoutNanos) {
        giveUp();
      } else {
        Session.pause();
      }
    }
  }

  private int done() {
    return cachedBlocks + failures.size();
  }

  /** Begins as many blocks as may be filled at once. */
  private void begin() throws IOException {
    List<String> next = new ArrayList<>();
    while (filling.size() + next.size() < AT_ONCE && !waiting.isEmpty()) {
      next.add(waiting.poll());
    }
    if (next.isEmpty()) {
      return;
    }
    for (JsonNode block : ask("warm", next)) {
      String name = block.path("block").asText();
      switch (block.path("state").asText()) {
        case "CACHED" -> cached(name, block);
        case "FILLING" -> filling.put(name, block.path("cachedPages").asInt());
        case "BUSY" -> waiting.addFirst(name);
        default -> failed(name, block.path("why").asText());
      }
    }
  }

  /** Looks how far the blocks are that are being filled. */
  private void look() throws IOException {
    if (filling.isEmpty()) {
      return;
    }
    for (JsonNode block : ask("block", List.copyOf(filling.keySet()))) {
      String name = block.path("block").asText();
      int pages = block.path("cachedPages").asInt();
      if (block.path("length").isNull()) {
        failed(name, "the replica is gone");
      } else if (pages == block.path("pages").asInt()) {
        cached(name, block);
      } else if (filling.put(name, pages) != pages) {
        lastProgress = System.nanoTime();
      }
    }
  }

  private List<JsonNode> ask(String word, List<String> names) throws IOException {
    List<JsonNode> blocks = new ArrayList<>();
    client.askBlocks(dataNode, word, names).forEach(batch -> batch.forEach(blocks::add));
    if (blocks.size() != names.size()) {
      throw new IOException("answered for " + blocks.size() + " of "
          + Text.count(names.size(), "block"));
    }
    return blocks;
  }

  private void cached(String name, JsonNode block) {
    if (filling.remove(name) != null) {
      filledBytes += lengths.get(name);
    }
    cachedBlocks++;
    giveUps = 0;
    cachedPages += block.path("cachedPages").asLong();
    lastProgress = System.nanoTime();
  }

  private void failed(String name, String why) {
    filling.remove(name);
    failures.put(name, why);
    lastProgress = System.nanoTime();
  }

  /** Nothing has moved for long. */
  private void giveUp() {
    lastProgress = System.nanoTime();
    List.copyOf(filling.keySet()).forEach(name -> failed(name, "stopped at "
        + Text.count(filling.get(name), "page") + "; the DataNode's log and its metrics tell why"));
    // A few blocks may be unfit to be cached; that all are would take for ever to find out.
    giveUps++;
    if (giveUps > 1) {
      waiting.forEach(name -> failed(name, "not begun: the DataNode fills nothing, or waits for "
          + "other fills"));
      waiting.clear();
    }
  }
}
