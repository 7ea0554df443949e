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
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfslocalcache.admin.FileBlocks.FileBlock;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.page.PageLayout;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Fills pages whatever their heat. */
@Command(name = "warm",
    description = {"Fills all pages of a path now, and waits until done.",
        "Each DataNode with a replica fills it."})
final class Warm extends Verb {
  @Option(names = "--json", description = JSON)
  private boolean json;

  @Option(names = "--max-blocks", paramLabel = "N", defaultValue = "10000",
      description = MAX_BLOCKS)
  private int maxBlocks;

  /** Long enough for a fill that waits behind those of readers. */
  @Option(names = "--timeout", paramLabel = "TIME", defaultValue = "60s", description =
      "Gives up a block without progress for this long, or earlier if the write budget is spent "
      + "(default: ${DEFAULT-VALUE}).")
  private Duration timeout;

  private final long begin = System.nanoTime();

  @Parameters(paramLabel = "PATH", description = "An absolute path, with everything below it.")
  private String path;

  Warm(Session session) {
    super(session);
  }

  @Override
  int run() throws IOException {
    check("--max-blocks", maxBlocks, 1_000_000);
    checkPath(path);
    List<FileBlock> blocks = new FileBlocks(session.conf(), session.err())
        .named(path, maxBlocks).stream().filter(block -> !block.isParity()).toList();
    Map<String, List<FileBlock>> byDataNode = FileBlocks.byDataNode(blocks);
    List<FileBlock> lost = blocks.stream().filter(block -> block.dataNodes().isEmpty()).toList();
    Progress progress = new Progress(session.err(),
        byDataNode.values().stream().mapToLong(List::size).sum(), "replica");
    ObjectNode document = Session.object();
    ArrayNode all = document.putArray("dataNodes");
    boolean[] failed = {!lost.isEmpty()};
    FanOut.ask(byDataNode.keySet(), dn -> warm(dn, byDataNode.get(dn), progress),
        answer -> failed[0] |= !report(answer, json ? all : null));
    if (!lost.isEmpty()) {
      session.warn(path + ": " + sample(lost.stream().map(FileBlock::name).toList())
          + "no live DataNode has a replica");
    }
    if (json) {
      ArrayNode lostBlocks = document.putArray("lostBlocks");
      lost.forEach(block -> lostBlocks.add(block.name()));
      session.print(document);
    } else if (blocks.isEmpty()) {
      session.say(path + ": has no blocks");
    }
    return failed[0] ? Session.FAILED : Session.DONE;
  }

  private Run.Result warm(String dataNode, List<FileBlock> blocks, Progress progress)
      throws IOException {
    JsonNode status = session.client().askJson(dataNode, Map.of(
        "command", "status", "for", "warm", "path", path, "replicas", blocks.size()));
    int pageSize = pageSize(status);
    List<FileBlock> onDisk = blocks.stream().filter(block -> block.isOnDisk(dataNode)).toList();
    // Refused without an SSD, as in a dry run.
    JsonNode pins = session.client().askJson(dataNode, Map.of("command", "pins")).path("pins");
    checkRoom(status, onDisk, pageSize);
    checkQuotas(pins, onDisk, pageSize);
    return new Run(session.client(), dataNode, timeout, progress)
        .run(blocks.stream().collect(Collectors.toMap(FileBlock::name, FileBlock::length,
            (one, same) -> one, LinkedHashMap::new)));
  }

  private static int pageSize(JsonNode status) throws IOException {
    Configuration conf = new Configuration(false);
    status.path("configuration").fields()
        .forEachRemaining(key -> conf.set(key.getKey(), key.getValue().asText()));
    return LocalCacheConfig.pageSize(conf);
  }

  /** More than fits would evict itself, and everything else. */
  private void checkRoom(JsonNode status, List<FileBlock> blocks, int pageSize)
      throws IOException {
    if (!status.path("on").asBoolean()) {
      throw new IOException("the local cache is " + Status.line(status));
    }
    long room = 0;
    List<String> reasons = new ArrayList<>();
    for (JsonNode ssd : status.path("ssds")) {
      room += ssd.path("drained").asBoolean() ? 0 : ssd.path("capacityBytes").asLong();
      if (!ssd.path("reason").asText().isEmpty()) {
        reasons.add(Status.ssd(ssd));
      }
    }
    long needed = space(blocks, pageSize);
    if (needed > 0 && room == 0) {
      throw new IOException("nothing is filled: "
          + (reasons.isEmpty() ? Status.condition(status) : String.join("; ", reasons)));
    }
    checkRoom(path, needed, room, "its local cache", reasons);
  }

  /** A pin over its quota evicts its own pages. @param pins the longest path first */
  private void checkQuotas(JsonNode pins, List<FileBlock> blocks, int pageSize)
      throws IOException {
    List<FileBlock> others = new ArrayList<>(blocks);
    for (JsonNode pin : pins) {
      String pinned = pin.path("path").asText();
      Map<Boolean, List<FileBlock>> byPin = others.stream()
          .collect(Collectors.partitioningBy(block -> isBelow(block.path(), pinned)));
      checkRoom(isBelow(pinned, path) ? pinned : path, space(byPin.get(true), pageSize),
          pin.path("quota").asLong(), "the pin of " + pinned, List.of());
      others = byPin.get(false);
    }
  }

  /** @return bytes that their pages take, with checksums, as capacities and quotas count them. */
  private static long space(List<FileBlock> blocks, int pageSize) {
    return blocks.stream()
        .mapToLong(block -> PageLayout.spaceOfBlock(pageSize, block.length())).sum();
  }

  private static boolean isBelow(String path, String parent) {
    return path.equals(parent) || path.startsWith(parent.endsWith("/") ? parent : parent + "/");
  }

  private static void checkRoom(String path, long needed, long room, String place,
      List<String> reasons) throws IOException {
    if (needed > room) {
      throw new IOException("nothing is filled: the pages of " + path + " take "
          + Sizes.text(needed, room) + ", but " + place + " holds only "
          + Sizes.text(room, needed) + (reasons.isEmpty() ? "" : "; ")
          + String.join("; ", reasons));
    }
  }

  /** Prints the result for the blocks of one DataNode. @return whether all succeeded. */
  private boolean report(FanOut.Answer<Run.Result> answer, ArrayNode all) {
    ObjectNode one = all == null ? null : all.addObject().put("dataNode", answer.dataNode());
    if (answer.failed()) {
      if (one != null) {
        one.put("error", answer.failure());
      }
      session.warn(answer.dataNode() + ": " + answer.failure());
      return false;
    }
    Run.Result result = answer.value();
    Map<String, String> failures = result.failures();
    if (one != null) {
      one.put("cachedBlocks", result.cachedBlocks());
      one.put("cachedPages", result.cachedPages()).put("pages", result.pages());
      ArrayNode each = one.putArray("failures");
      failures.forEach((block, why) -> each.add(block + ": " + why));
    } else {
      session.say(answer.dataNode() + ": " + result.cachedPages() + " of "
          + Text.count(result.pages(), "page") + " cached, after "
          + Text.seconds(TimeUnit.NANOSECONDS.toMillis(result.end() - begin))
          + (failures.isEmpty() ? "" : "; " + Text.count(failures.size(), "replica") + " failed"));
    }
    // Most often thousands of blocks have one reason.
    failures.keySet().stream()
        .collect(Collectors.groupingBy(failures::get, LinkedHashMap::new, Collectors.toList()))
        .forEach((why, blocks) -> session.warn(
            answer.dataNode() + ": " + sample(blocks) + why));
    return failures.isEmpty();
  }

  private static String sample(List<String> blocks) {
    return blocks.get(0) + (blocks.size() == 1 ? ": "
        : " and " + Text.count(blocks.size() - 1, "more block") + ": ");
  }

  /**
   * Fills the blocks of one DataNode, a few at a time, because readers' fills share the queue.
   */
  private static final class Run {
    private static final int AT_ONCE = 4;
    /** A block without progress for so long is requested again: no page may get in for hours. */
    private static final long STOPPED_NANOS = TimeUnit.SECONDS.toNanos(5);

    /**
     * The result of the blocks.
     *
     * @param cachedBlocks of which all pages are cached
     * @param cachedPages of all blocks, those with failures included
     * @param failures why not, by block
     * @param end when all was done, in {@link System#nanoTime}
     */
    record Result(int cachedBlocks, long cachedPages, long pages, Map<String, String> failures,
        long end) {
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
    /** Of the cached blocks. */
    private long cachedPages;
    private Map<String, Long> lengths = Map.of();
    /** Bytes of blocks that were not cached before. */
    private long filledBytes;
    private int giveUps;
    /** Why no page may be written now; empty if pages may. */
    private String holdsBack = "";
    private long lastProgress = System.nanoTime();
    private long lastAsked = System.nanoTime();

    /**
     * Creates a run.
     *
     * @param timeout how long to wait without progress
     * @param progress told of each finished block
     */
    Run(DataNodeClient client, String dataNode, Duration timeout, Progress progress) {
      this.client = client;
      this.dataNode = dataNode;
      this.timeoutNanos = timeout.toNanos();
      this.progress = progress;
    }

    /**
     * Fills blocks and waits for it.
     *
     * @param blocks the length in bytes of each, by name with pool
     * @throws IOException when the DataNode stops answering, or the command is interrupted
     */
    Result run(Map<String, Long> blocks) throws IOException {
      waiting.addAll(blocks.keySet());
      lengths = blocks;
      while (true) {
        int cachedBefore = cachedBlocks;
        int failedBefore = failures.size();
        long bytesBefore = filledBytes;
        look();
        begin();
        progress.add(cachedBlocks - cachedBefore, failures.size() - failedBefore,
            filledBytes - bytesBefore);
        if (waiting.isEmpty() && filling.isEmpty()) {
          return result();
        }
        if (System.nanoTime() - lastProgress
            > (holdsBack.isEmpty() ? timeoutNanos : stoppedNanos())) {
          giveUp();
        } else {
          Session.pause();
        }
      }
    }

    private long stoppedNanos() {
      return Math.min(STOPPED_NANOS, timeoutNanos / 2);
    }

    /** Asks again for the progress of failed blocks, some of which were never started. */
    private Result result() throws IOException {
      long cached = cachedPages;
      long pages = cachedPages;
      for (JsonNode block : ask("block", List.copyOf(failures.keySet()))) {
        JsonNode ssd = block.path("ssdState");
        cached += ssd.isTextual() && SsdState.valueOf(ssd.asText()).isReadable()
            ? block.path("wholePages").asLong() : 0;
        pages += block.path("pages").asLong();
      }
      return new Result(cachedBlocks, cached, pages, failures, System.nanoTime());
    }

    /** Begins as many blocks as may be filled at once, and goes on with those that have stopped. */
    private void begin() throws IOException {
      List<String> next = new ArrayList<>();
      // The reason to wait may end at any moment.
      if (!holdsBack.isEmpty()
          || System.nanoTime() - Math.max(lastProgress, lastAsked) > stoppedNanos()) {
        lastAsked = System.nanoTime();
        next.addAll(filling.keySet());
      }
      for (int i = filling.size(); i < AT_ONCE && !waiting.isEmpty(); i++) {
        next.add(waiting.poll());
      }
      if (next.isEmpty()) {
        return;
      }
      for (JsonNode block : ask("warm", next)) {
        String name = block.path("block").asText();
        String why = block.path("why").asText();
        String state = block.path("state").asText();
        if (state.equals("CACHED")) {
          cached(name, block);
        } else if (state.equals("REFUSED")) {
          failed(name, why);
        } else {
          holdsBack = why;
          if (state.equals("BUSY") && why.isEmpty()) {
            filling.remove(name);
            waiting.addFirst(name);
          } else {
            filling.put(name, block.path("cachedPages").asInt());
          }
        }
      }
    }

    /** Asks for the progress of the blocks that are being filled. */
    private void look() throws IOException {
      if (filling.isEmpty()) {
        return;
      }
      for (JsonNode block : ask("block", List.copyOf(filling.keySet()))) {
        String name = block.path("block").asText();
        int pages = block.path("wholePages").asInt();
        if (block.path("length").isNull()) {
          failed(name, "the DataNode has no replica of it now");
        } else if (pages == block.path("pages").asInt()) {
          cached(name, block);
        } else if (!block.path("unreadable").asText().isEmpty()) {
          failed(name, "the replica cannot be read: " + block.path("unreadable").asText());
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
      cachedPages += block.path("pages").asLong();
      lastProgress = System.nanoTime();
    }

    private void failed(String name, String why) {
      filling.remove(name);
      failures.put(name, why);
      lastProgress = System.nanoTime();
    }

    /** Gives up after a long time without progress. */
    private void giveUp() {
      lastProgress = System.nanoTime();
      String why = holdsBack;
      List.copyOf(filling.keySet()).forEach(name -> failed(name, "stopped: "
          + (why.isEmpty() ? "see the DataNode's log and metrics for the reason" : why)));
      // A few blocks may be unfit for the cache; waiting for each of many would take for ever.
      giveUps++;
      if (giveUps > 1 || !why.isEmpty()) {
        waiting.forEach(name -> failed(name, "not started: " + (why.isEmpty()
            ? "the DataNode fills nothing, or is busy with other fills" : why)));
        waiting.clear();
      }
    }
  }
}
