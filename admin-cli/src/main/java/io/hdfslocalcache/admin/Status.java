/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfslocalcache.admin.Verb.AskEach;
import io.hdfslocalcache.plugin.config.Sizes;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the state of the local cache and of each SSD, and its counters. */
@Command(name = "status",
    description = {"Shows the condition, each SSD, what was read and filled, and errors.",
        "Exits with 3 if the condition of a DataNode is not normal."})
final class Status extends AskEach {
  @Option(names = "--summary", description = "Shows all DataNodes together, and those that are "
      + "not normal or differ from the others.")
  private boolean summary;

  @Option(names = "--wait-for", paramLabel = "ready|warm", description = {
      "ready: waits until each DataNode has restored its pages after a restart, and its SSDs work.",
      "warm: also waits until its SSDs are 90 %% full.",
      "Without DATANODES, also waits for dead DataNodes, unless they are "
      + "decommissioned or in maintenance."})
  private String waitFor;

  @Option(names = "--timeout", paramLabel = "TIME", defaultValue = "60s", description =
      "Ends the summary or the waiting after this long (default: ${DEFAULT-VALUE}).")
  private Duration timeout;

  static final String CONDITION = "condition";
  /** The conditions that last until a command ends them. */
  private static final Set<String> NEVER_READY = Set.of("off", "no-ssd");
  private static final int NOT_NORMAL = 3;
  /** Bytes of the write budget that are left; missing if that is not known. */
  private static final String BALANCE = "BudgetBalanceBytes";
  /** Most waits are shorter, and need no words. */
  private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final Map<String, ?> STATUS = Map.of("command", "status");

  Status(Session session) {
    super(session);
  }

  @Override
  int run() throws IOException {
    if (waitFor != null) {
      if (summary) {
        throw wrong("either --summary or --wait-for");
      }
      return waitForEach();
    }
    if (!summary && spec.commandLine().getParseResult().hasMatchedOption("--timeout")) {
      throw wrong("--timeout needs --summary or --wait-for");
    }
    AtomicBoolean abnormal = new AtomicBoolean();
    int exitCode = summary ? summary(abnormal) : ask(dataNodes(), dataNode -> {
      JsonNode status = status(dataNode);
      abnormal.compareAndSet(false, isAbnormal(status));
      return status;
    }, Status::text, (document, answer) -> document.set("status", answer.value()));
    return exitCode == Session.DONE && abnormal.get() ? NOT_NORMAL : exitCode;
  }

  private JsonNode status(String dataNode) throws IOException {
    return session.client().askJson(dataNode, STATUS);
  }

  static boolean isAbnormal(JsonNode status) {
    return !status.path("normal").asBoolean();
  }

  private int waitForEach() throws IOException {
    if (!waitFor.equals("ready") && !waitFor.equals("warm")) {
      throw wrong("--wait-for must be ready or warm, got: " + waitFor);
    }
    long begin = System.nanoTime();
    // An answer is printed only after those of the DataNodes before it.
    Map<String, Long> nanos = new ConcurrentHashMap<>();
    return ask(awaited(begin), dataNode -> {
      JsonNode status = await(dataNode, begin);
      nanos.put(dataNode, System.nanoTime() - begin);
      return status;
    }, (dataNode, status) -> List.of(dataNode + ": " + line(status) + " (after "
        + Text.seconds(TimeUnit.NANOSECONDS.toMillis(nanos.get(dataNode))) + ")"),
        (document, answer) -> document.set("status", answer.value()));
  }

  /** A starting NameNode does not answer at first, and then does not have all DataNodes yet. */
  private List<String> awaited(long begin) throws IOException {
    IOException before = null;
    while (true) {
      try {
        return FanOut.within(timeout.minusNanos(System.nanoTime() - begin), "NameNode",
            namesDataNodes() ? this::dataNodes : this::inService);
      } catch (IOException e) {
        if (isLate(begin)) {
          throw before != null && e.getCause() instanceof TimeoutException ? before : e;
        }
        if (!isOfStart(e)) {
          throw e;
        }
        before = e;
      }
      Session.pause();
    }
  }

  /** @throws RetriableException if the NameNode may not have all yet */
  private List<String> inService() throws IOException {
    List<String> dataNodes = session.dataNodes().inService();
    if (dataNodes.isEmpty() || session.dataNodes().isInSafeMode()) {
      throw new RetriableException("after " + Text.seconds(timeout.toMillis()) + ", "
          + (dataNodes.isEmpty() ? "no DataNode has registered with the NameNode"
          : "the NameNode is still in safe mode"));
    }
    return dataNodes;
  }

  private static boolean isOfStart(Throwable failure) {
    for (Throwable one = failure; one != null; one = one.getCause()) {
      Throwable cause = one instanceof RemoteException remote ? remote.unwrapRemoteException() : one;
      if (cause instanceof ConnectException || cause instanceof EOFException
          || cause instanceof RetriableException || cause instanceof StandbyException
          || cause instanceof SafeModeException) {
        return true;
      }
    }
    return false;
  }

  private boolean isLate(long begin) {
    return System.nanoTime() - begin > timeout.toNanos();
  }

  /** A starting DataNode does not answer at first. */
  private JsonNode await(String dataNode, long begin) throws IOException {
    String said = "";
    while (true) {
      JsonNode status = null;
      IOException failure = null;
      try {
        status = status(dataNode);
      } catch (IOException e) {
        if (Failure.describe(e).startsWith(Failure.REFUSED)) {
          throw e;
        }
        failure = e;
      }
      if (status != null && (waitFor.equals("ready") ? !isAbnormal(status)
          : status.path(CONDITION).asText().equals(waitFor))) {
        return status;
      }
      if (status != null && NEVER_READY.contains(status.path(CONDITION).asText())) {
        throw new IOException("is not " + waitFor + ": " + why(status));
      }
      if (status != null && waitFor.equals("warm") && status.path("dryRun").asBoolean()) {
        throw new IOException("is never warm: it is in a dry run");
      }
      if (isLate(begin)) {
        throw failure != null ? failure : new IOException(
            "is not " + waitFor + " after " + Text.seconds(timeout.toMillis()) + ": "
            + why(status));
      }
      String now = status == null ? Failure.ofQuestion(Failure.describe(failure))
          : status.path(CONDITION).asText();
      if (!now.equals(said) && System.nanoTime() - begin > SILENT_NANOS) {
        session.warn(dataNode + ": is not " + waitFor + " yet: " + (status == null ? now : why(status)));
        said = now;
      }
      Session.pause();
    }
  }

  private int summary(AtomicBoolean abnormal) throws IOException {
    long begin = System.nanoTime();
    List<String> dataNodes = FanOut.within(timeout, "NameNode", this::dataNodes);
    List<FanOut.Answer<JsonNode>> answers = new ArrayList<>();
    boolean answered = FanOut.ask(dataNodes,
        this::status, answers::add, timeout.minusNanos(System.nanoTime() - begin));
    abnormal.set(answers.stream()
        .anyMatch(answer -> !answer.failed() && isAbnormal(answer.value())));
    ClusterSummary cluster = ClusterSummary.of(answers);
    if (json) {
      session.print(cluster);
    } else {
      cluster.text().forEach(session::say);
      cluster.failureText().forEach(session::warn);
    }
    return answered ? Session.DONE : Session.FAILED;
  }

  /** Nothing is known of an SSD that was never open. */
  private static String used(JsonNode ssd) {
    long used = ssd.path("usedBytes").asLong();
    long capacity = ssd.path("capacityBytes").asLong();
    // The capacity of a drained one shrinks with its pages.
    return ssd.path("drained").asBoolean() ? ", " + Sizes.text(used) + " used"
        : used == 0 && capacity == 0 ? ""
        : ", " + Sizes.text(used) + " of " + Sizes.text(capacity) + " used";
  }

  /** Bytes written to an SSD, and its remaining life if known. */
  private static String wear(JsonNode wear) {
    long written = wear.path("writtenBytes").asLong();
    long endurance = wear.path("enduranceBytes").asLong();
    long days = wear.path("lifeDays").asLong(-1);
    return written == 0 ? "" : ", " + Sizes.text(written) + " written"
        + (endurance == 0 ? "" : " of " + Sizes.text(endurance) + " in its life")
        + (days < 0 ? "" : ", " + days + " days left at this rate");
  }

  /** @return the status of one DataNode in words, line by line. */
  static List<String> text(String dataNode, JsonNode status) {
    List<String> lines = new ArrayList<>();
    lines.add(dataNode + ": " + line(status));
    if (status.path("dryRun").asBoolean()) {
      addDryRun(lines, status);
      return lines;
    }
    for (JsonNode ssd : status.path("ssds")) {
      lines.add("  " + ssd(ssd) + used(ssd) + wear(ssd.path("wear")));
    }
    addSlowestVolume(lines, status.path("volumes"));
    JsonNode memory = status.path("memory");
    if (memory.path("capacityBytes").asLong() > 0) {
      lines.add("  memory: " + Sizes.text(memory.path("usedBytes").asLong()) + " of "
          + Sizes.text(memory.path("capacityBytes").asLong()) + " used, "
          + Text.count(memory.path("pages").asLong(), "page"));
    }
    addSettings(lines, status);
    JsonNode counters = status.path("counters");
    lines.add("  offload " + Text.percent(status.path("offload")) + ", reuse rate "
        + Text.percent(status.path("reuseRate")) + "; " + Sizes.text(
            counters.path("BytesHit").asLong() - counters.path("BytesMemory").asLong())
        + " read from SSD, " + bytes(counters, "BytesMemory") + " from memory, "
        + Sizes.text(counters.path("BytesMiss").asLong()
            + counters.path("BytesBypass").asLong()) + " from data volumes");
    if (status.path("shortCircuitShare").isNumber()) {
      lines.add("  " + Text.count(counters.path("ShortCircuitOpens").asLong(), "short-circuit open")
          + ", " + Text.percent(status.path("shortCircuitShare")) + " of all opens and reads by "
          + "clients: they bypass the local cache");
    }
    lines.add("  " + Text.count(status.path("pages").asLong(), "page") + " of "
        + Text.count(status.path("blocks").asLong(), "block") + "; " + count(counters, "Fills")
        + " filled, " + status.path("fillQueuePages").asLong() + " waiting, "
        + count(counters, "Evictions") + " evicted, " + count(counters, "InvalidatedPages")
        + " invalidated");
    addRestored(lines, status);
    lines.add("  " + errors(status.path("errors")));
    return lines;
  }

  /** @return the condition with its detail, and whether the local cache is on. */
  static String line(JsonNode status) {
    String text = condition(status);
    return text.isEmpty() || text.equals("off") ? state(status) : text + "; " + state(status);
  }

  /**
   * @return the condition in words, such as {@code restoring 34 % (8 s)} or {@code ssd-down:
   *     /ssd/0}; empty if the DataNode sent none
   */
  static String condition(JsonNode status) {
    String detail = status.path("conditionDetail").asText();
    // A detail that begins with a digit is the progress; other details are the reason.
    return status.path(CONDITION).asText() + (detail.isEmpty() ? ""
        : (Character.isDigit(detail.charAt(0)) ? " " : ": ") + detail);
  }

  /** @return on or off, with the note. */
  static String state(JsonNode status) {
    return ((status.path("on").asBoolean() ? "on" : "off") + " " + status.path("note").asText())
        .strip();
  }

  private static void addRestored(List<String> lines, JsonNode status) {
    long pages = status.path("counters").path("RestoredPages").asLong();
    long millis = status.path("restoreMillis").asLong();
    if (pages > 0 && millis >= 0) {
      lines.add("  restored " + Text.count(pages, "page") + "; the last restore took "
          + Text.seconds(millis));
    }
  }

  /** @return the condition, and why SSDs do not work. */
  private static String why(JsonNode status) {
    return Stream.concat(Stream.of(line(status)), notNormalSsds(status).stream())
        .collect(Collectors.joining("; "));
  }

  /** @return the SSDs that are not NORMAL, or may be why the local cache is not. */
  static List<String> notNormalSsds(JsonNode status) {
    List<String> found = new ArrayList<>();
    for (JsonNode ssd : status.path("ssds")) {
      if (!ssd.path("state").asText().equals("NORMAL")
          || isAbnormal(status) && !ssd.path("reason").asText().isEmpty()) {
        found.add(ssd(ssd));
      }
    }
    return found;
  }

  /** @return an SSD with its state and the reason. */
  static String ssd(JsonNode ssd) {
    String reason = ssd.path("reason").asText();
    return "SSD " + ssd.path("directory").asText() + ": " + ssd.path("state").asText()
        + (reason.isEmpty() ? "" : " (" + reason + ")");
  }

  /** @return the settings of a DataNode that were changed since it started. */
  static List<JsonNode> changed(JsonNode status) {
    List<JsonNode> changed = new ArrayList<>();
    for (JsonNode setting : status.path("settings")) {
      if (isChanged(setting)) {
        changed.add(setting);
      }
    }
    return changed;
  }

  private static boolean isChanged(JsonNode setting) {
    return !setting.path("value").equals(setting.path("configured"));
  }

  private static void addSlowestVolume(List<String> lines, JsonNode volumes) {
    JsonNode slowest = null;
    for (JsonNode volume : volumes) {
      if (slowest == null || waitMillis(volume) > waitMillis(slowest)) {
        slowest = volume;
      }
    }
    if (slowest != null) {
      lines.add(String.format(Locale.ROOT, "  a read waits %.1f ms for %s%s", waitMillis(slowest),
          slowest.path("directory").asText(), volumes.size() == 1 ? ""
              : ", the slowest of " + volumes.size() + " data volumes"));
    }
  }

  private static double waitMillis(JsonNode volume) {
    return volume.path("readWaitMillis").asDouble();
  }

  /** In a dry run there is no SSD, and nothing to say but what one would have done. */
  private static void addDryRun(List<String> lines, JsonNode status) {
    long used = 0;
    long capacity = 0;
    for (JsonNode ssd : status.path("ssds")) {
      used += ssd.path("usedBytes").asLong();
      capacity += ssd.path("capacityBytes").asLong();
    }
    JsonNode counters = status.path("counters");
    lines.add("  " + Text.count(counters.path("ReadsHit").asLong(), "hit") + ", offload "
        + Text.percent(status.path("offload")) + ", reuse rate "
        + Text.percent(status.path("reuseRate")) + "; "
        + bytes(counters, "FillWrittenBytes") + " for the SSD; "
        + Text.count(status.path("pages").asLong(), "page") + ", " + Sizes.text(used) + " of "
        + Sizes.text(capacity) + "; " + count(counters, "Evictions") + " evicted, "
        + count(counters, "EvictedWithoutRead") + " without a read");
    addSettings(lines, status);
    lines.add("  " + errors(status.path("errors")));
  }

  /** The write budget, if there is one, and the settings. */
  private static void addSettings(List<String> lines, JsonNode status) {
    if (budget(status) > 0) {
      lines.add("  write budget of all SSDs: " + Sizes.text(budget(status)) + " a day; "
          + (status.path("admission").has(BALANCE)
              ? Sizes.text(Math.max(0, budgetLeft(status))) + " left" : "what is left is not known"));
    }
    set(status).forEach(setting -> lines.add("  set: " + setting));
  }

  /** @return the settings that are in force or saved, but not configured. */
  static List<String> set(JsonNode status) {
    List<String> set = new ArrayList<>();
    for (JsonNode setting : status.path("settings")) {
      String value = setting.path("value").asText();
      if (isChanged(setting) || !setting.path("kept").asText(value).equals(value)) {
        set.add(setting.path("key").asText() + " = " + value + Text.lasting(value, setting));
      }
    }
    return set;
  }

  /** @return bytes that may be written in a day; 0 without a write budget, or an SSD. */
  private static long budget(JsonNode status) {
    return status.path("admission").path("BudgetBytesPerDay").asLong();
  }

  /** @return whether nothing is left of the write budget, as far as known. */
  static boolean isBudgetSpent(JsonNode status) {
    return budget(status) > 0 && status.path("admission").has(BALANCE) && budgetLeft(status) <= 0;
  }

  private static long budgetLeft(JsonNode status) {
    return status.path("admission").path(BALANCE).asLong();
  }

  private static String bytes(JsonNode counters, String name) {
    return Sizes.text(counters.path(name).asLong());
  }

  private static String count(JsonNode counters, String name) {
    return String.valueOf(counters.path(name).asLong());
  }

  private static String errors(JsonNode errors) {
    if (errors.isEmpty()) {
      return "no errors";
    }
    List<String> names = new ArrayList<>();
    errors.fields().forEachRemaining(error -> names.add(
        error.getKey().replaceFirst("^Errors", "") + " " + error.getValue().asLong()));
    return "errors: " + String.join(", ", names);
  }
}
