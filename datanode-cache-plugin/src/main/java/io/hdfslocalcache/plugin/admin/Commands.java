/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import static io.hdfslocalcache.plugin.admin.Arguments.check;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfslocalcache.plugin.admin.BlockStatus.Warming;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.plugin.metrics.LogText;
import io.hdfslocalcache.plugin.rules.Pins.PinStatus;
import io.hdfslocalcache.plugin.settings.OnOff;
import io.hdfslocalcache.plugin.settings.RuntimeSettings;
import io.hdfslocalcache.plugin.settings.SsdCommands;
import io.hdfslocalcache.plugin.trace.ReadTrace;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commands that show what is in the local cache or change it. Arguments and answers are JSON: see
 * {@link Arguments}.
 */
final class Commands {

  /** Limits the time of a handler thread, and the length of an answer. */
  static final int MAX_BLOCKS = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(Commands.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String BLOCK_PREFIX = ":blk_";
  /** Logged when they come. The others log what they did, or are sent again and again. */
  private static final Set<String> LOGGED = Set.of("diagnose", "top", "trace");
  /** Commands for SSDs that also work in a dry run, which reads no replica and saves nothing. */
  private static final Set<String> DRY_RUN = Set.of("block", "top", "clear", "rules", "set", "reset");

  private final Configuration conf;
  private final OnOff onOff;
  private final Supplier<LocalCacheView> view;
  private final ReadTrace trace;
  private final Map<String, Command> commands = new HashMap<>();

  /** Runs a command, or throws an {@link IllegalArgumentException} and changes nothing. */
  private interface Handler {
    Object answer(LocalCacheView open, Arguments arguments, Caller caller);
  }

  /** @param needsSsd whether the local cache must be open; else it may be null */
  private record Command(Set<String> arguments, boolean needsSsd, Handler handler) {
  }

  Commands(Configuration conf, OnOff onOff, Supplier<LocalCacheView> view, ReadTrace trace) {
    this.conf = conf;
    this.onOff = onOff;
    this.view = view;
    this.trace = trace;
    // A denied command is logged as it came: it has to name the verb that begins with this question.
    add("status", this::condition, "for", "path", "replicas");
    add("diagnose", (open, arguments, caller) -> Diagnosis.of(conf, status(open)));
    // Reads can be traced before an SSD is bought, to size it.
    add("trace", (open, arguments, caller) -> trace(arguments), "action", "sample", "anonymous");
    addForSsd("block", (open, arguments, caller) ->
        blocks(arguments).stream().map(open::block).toList(), "blocks");
    addForSsd("top", (open, arguments, caller) -> top(open, arguments), "n", "by");
    addForSsd("warm", (open, arguments, caller) -> warm(open, blocks(arguments), caller), "blocks");
    addForSsd("clear", this::clear, "blocks", "all");
    addForSsd("rules", this::rules, "reload");
    addForSsd("set", (open, arguments, caller) -> changed(arguments, caller, open.set(
        arguments.text("key"), arguments.text("value"), arguments.flag("persist"))),
        "key", "value", "persist");
    addForSsd("reset", (open, arguments, caller) ->
        changed(arguments, caller, open.reset(arguments.text("key"))), "key");
    addForSsd("pin", (open, arguments, caller) -> pinned(arguments, caller,
        open.pin(arguments.text("path"), arguments.text("quota"))), "path", "quota");
    addForSsd("unpin", (open, arguments, caller) ->
        pinned(arguments, caller, open.unpin(arguments.text("path"))), "path");
    addForSsd("pins", (open, arguments, caller) -> open.pins());
    addForSsd("ssd", this::ssd, "action", "directory");
  }

  private void add(String name, Handler handler, String... arguments) {
    commands.put(name, new Command(Set.of(arguments), false, handler));
  }

  private void addForSsd(String name, Handler handler, String... arguments) {
    commands.put(name, new Command(Set.of(arguments), true, handler));
  }

  /**
   * Runs a command.
   *
   * @param text the command, as JSON
   * @return one line of JSON
   * @throws IllegalArgumentException if nothing was done; the message says why
   * @throws IOException if the answer cannot be written
   */
  String run(String text, Caller caller) throws IOException {
    Arguments arguments = Arguments.of(text);
    Command command = commands.get(arguments.command());
    check(command != null, "the local cache of this DataNode does not know the command "
        + LogText.of(arguments.command()));
    if (LOGGED.contains(arguments.command())) {
      LOG.info("Local cache: {}{}, command of {}", arguments.command(),
          arguments.has("action") ? " " + LogText.of(arguments.text("action")) : "", caller);
    } else {
      LOG.debug("Local cache: {} of {}", arguments.command(), caller);
    }
    arguments.refuseOthersThan(command.arguments());
    LocalCacheView open = view.get();
    if (command.needsSsd()) {
      check(!onOff.isDryRun() || DRY_RUN.contains(arguments.command()),
          "this DataNode is in a dry run: it uses no SSD");
      check(open != null, onOff.notOpen());
    }
    return JSON.writeValueAsString(command.handler().answer(open, arguments, caller));
  }

  /** The condition comes first. Which command begins with this is logged here, once for all its blocks. */
  private JsonNode condition(LocalCacheView open, Arguments arguments, Caller caller) {
    if (arguments.has("for")) {
      LOG.info("Local cache: {} {}, {} replicas, by command of {}", LogText.of(arguments.text("for")),
          LogText.of(arguments.text("path")), arguments.wholeNumber("replicas"), caller);
    }
    Condition condition = open == null ? Condition.closed(onOff) : open.condition();
    ObjectNode document = JSON.createObjectNode().put("condition", condition.name())
        .put("conditionDetail", condition.detail()).put("normal", condition.isNormal())
        .put("restoreMillis", open == null ? 0 : open.restoreMillis());
    document.setAll((ObjectNode) JSON.valueToTree(status(open)));
    if (open != null) {
      // Not in a diagnosis, which names no paths.
      open.pinned().ifPresent(pinned -> document.withArray("settings").addPOJO(pinned));
    }
    return document;
  }

  private CacheStatus status(LocalCacheView open) {
    return (open == null ? CacheStatus.closed(onOff) : open.status())
        .with(onOff.isDryRun(), conf);
  }

  private ReadTrace.Status trace(Arguments arguments) {
    switch (arguments.text("action")) {
      case "start":
        trace.start(arguments.has("sample") ? arguments.number("sample") : 1,
            arguments.flag("anonymous"));
        break;
      case "stop":
        trace.stop();
        break;
      default:
        check(arguments.text("action").equals("status"),
            "expected trace start, trace stop or trace status");
    }
    return trace.status();
  }

  private static List<BlockStatus> top(LocalCacheView open, Arguments arguments) {
    long n = arguments.wholeNumber("n");
    check(n >= 1 && n <= MAX_BLOCKS,
        "expected 1 to " + MAX_BLOCKS + " blocks, got: " + n);
    String by = arguments.has("by") ? arguments.text("by") : "reads";
    check(by.equals("reads") || by.equals("pages"), "expected reads or pages, got: " + by);
    return open.top((int) n,
        by.equals("reads") ? LocalCacheView.Order.READS : LocalCacheView.Order.PAGES);
  }

  private List<Warming> warm(LocalCacheView open, List<BlockKey> blocks, Caller caller) {
    List<Warming> warmed = new ArrayList<>();
    for (BlockKey block : blocks) {
      Warming now = open.warm(block);
      LOG.debug("Local cache: warm {}: {}{}, by command of {}", name(block),
          now.state().name().toLowerCase(Locale.ROOT),
          now.why().isEmpty() ? "" : " (" + LogText.of(now.why()) + ")", caller);
      warmed.add(now);
    }
    return warmed;
  }

  private Map<String, Object> clear(LocalCacheView open, Arguments arguments, Caller caller) {
    String why = "command of " + caller;
    List<BlockKey> blocks = arguments.flag("all") ? null : blocks(arguments);
    String what;
    int pages;
    // A restore may end meanwhile, an SSD go down.
    List<String> before = open.mayComeBack();
    if (blocks == null) {
      what = "all";
      pages = open.clearAll(why);
    } else {
      what = blocks.size() == 1 ? name(blocks.get(0)) : blocks.size() + " blocks";
      pages = blocks.stream().mapToInt(block -> open.clear(block, why)).sum();
    }
    LOG.info("Local cache: clear {}: {} pages, by command of {}", what, pages, caller);
    List<String> after = open.mayComeBack();
    return Map.of("pages", pages, "mayComeBack", after.isEmpty() ? before : after,
        "notFilling", open.notFilling(), "dryRun", onOff.isDryRun());
  }

  private RulesView rules(LocalCacheView open, Arguments arguments, Caller caller) {
    if (arguments.flag("reload")) {
      LOG.info("Local cache: reloading the rules, by command of {}", caller);
      open.reloadRules();
    }
    return open.rules();
  }

  private static RuntimeSettings.Change changed(
      Arguments arguments, Caller caller, RuntimeSettings.Change change) {
    LOG.info("Local cache: {} = {} -> {}{}, by command of {}", change.key(),
        LogText.of(change.before()), LogText.of(change.after()),
        arguments.flag("persist") ? ", saved for restarts" : "", caller);
    return change;
  }

  private static PinStatus pinned(Arguments arguments, Caller caller, PinStatus status) {
    LOG.info("Local cache: {} {}, quota {}, by command of {}", arguments.command(),
        LogText.of(status.path()), Sizes.text(status.quota()), caller);
    return status;
  }

  private SsdCommands.Done ssd(LocalCacheView open, Arguments arguments, Caller caller) {
    SsdCommands.Done done =
        open.ssd(arguments.text("action"), arguments.text("directory"));
    LOG.info("Local cache: {} {}, by command of {}",
        LogText.of(done.directory()), done.done(), caller);
    return done;
  }

  private static List<BlockKey> blocks(Arguments arguments) {
    List<String> names = arguments.texts("blocks");
    check(!names.isEmpty() && names.size() <= MAX_BLOCKS,
        "expected 1 to " + MAX_BLOCKS + " blocks, got " + names.size());
    return names.stream().map(Commands::block).toList();
  }

  private static BlockKey block(String name) {
    int prefix = name.lastIndexOf(BLOCK_PREFIX);
    try {
      check(prefix > 0, "");
      return new BlockKey(name.substring(0, prefix),
          Long.parseLong(name.substring(prefix + BLOCK_PREFIX.length())));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "expected a block such as BP-1-10.0.0.1-2:blk_3, got: " + name, e);
    }
  }

  /** @return the block for the log. The caller chose the name of its pool. */
  private static String name(BlockKey block) {
    return LogText.of(block.toString());
  }
}
