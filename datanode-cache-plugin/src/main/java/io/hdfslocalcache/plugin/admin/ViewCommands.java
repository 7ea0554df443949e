/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.plugin.admin.BlockStatus.Warming;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.metrics.LogText;
import io.hdfslocalcache.plugin.rules.Pins.PinStatus;
import io.hdfslocalcache.plugin.trace.ReadTrace;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commands that show what is in the local cache or change it. Each answers one line of JSON.
 *
 * <pre>
 * status
 * diagnose
 * block BLOCK...           BLOCK: BP-1-10.0.0.1-2:blk_3
 * top N [reads|pages]
 * warm BLOCK...
 * clear all | clear BLOCK...
 * trace start [sample=SHARE] [anonymous] | trace stop | trace status
 * rules [reload]
 * set KEY VALUE [persist] | reset KEY
 * ssd add DIRECTORY | ssd drain DIRECTORY | ssd remove DIRECTORY | ssd replace DIRECTORY
 * </pre>
 */
final class ViewCommands {

  /** Bounds the time that a handler thread takes, and the length of an answer. */
  static final int MAX_BLOCKS = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(ViewCommands.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> VERBS = Set.of("status", "diagnose", "block", "top", "warm",
      "clear", "trace", "rules", "pin", "unpin", "pins", "reset", "ssd");
  private static final String BLOCK_PREFIX = ":blk_";
  private static final String SAMPLE = "sample=";

  private final Configuration conf;
  private final OnOff onOff;
  private final Supplier<List<CacheStatus.GhostView>> ghosts;
  private final Supplier<LocalCacheView> view;
  private final ReadTrace trace;

  ViewCommands(Configuration conf, OnOff onOff, Supplier<List<CacheStatus.GhostView>> ghosts,
      Supplier<LocalCacheView> view, ReadTrace trace) {
    this.conf = conf;
    this.onOff = onOff;
    this.ghosts = ghosts;
    this.view = view;
    this.trace = trace;
  }

  /** @return whether the command is one of these, if perhaps with wrong arguments. */
  static boolean knows(List<String> command) {
    String verb = command.isEmpty() ? "" : command.get(0);
    // With on and off, set is the switch.
    return VERBS.contains(verb) || verb.equals("set") && command.size() > 2
        && !List.of("on", "off").contains(command.get(1));
  }

  /**
   * Does it.
   *
   * @param command the verb and its arguments
   * @return one line of JSON
   * @throws IllegalArgumentException if nothing was done; the message says why
   * @throws IOException if the answer cannot be written
   */
  String run(List<String> command, Caller caller) throws IOException {
    return JSON.writeValueAsString(
        answer(command.get(0), command.subList(1, command.size()), caller));
  }

  private Object answer(String verb, List<String> args, Caller caller) {
    LocalCacheView open = view.get();
    // A command that waits for fills asks about their blocks all the time, pin about pins.
    if (verb.equals("block") || verb.equals("pins")) {
      LOG.debug("Local cache: asked about {} by {}", verb, caller);
    } else {
      LOG.info("Local cache: {}, command of {}", verb, caller);
    }
    if (verb.equals("status") || verb.equals("diagnose")) {
      check(args.isEmpty(), verb + " has no arguments");
      CacheStatus status = (open == null ? CacheStatus.closed(onOff) : open.status())
          .with(onOff.isDryRun(), ghosts.get(), conf);
      return verb.equals("status") ? status : Diagnosis.of(conf, status);
    }
    if (verb.equals("trace")) {
      return trace(args);
    }
    check(open != null || !onOff.isDryRun(),
        "this DataNode is in a dry run: there is nothing on an SSD");
    check(open != null, "the local cache has no SSD directory, or the DataNode is still starting");
    switch (verb) {
      case "block":
        return blocks(args).stream().map(open::block).toList();
      case "top":
        return top(open, args);
      case "warm":
        return warm(open, blocks(args), caller);
      case "rules":
        return rules(open, args, caller);
      case "set", "reset":
        return set(open, verb, args, caller);
      case "ssd":
        return ssd(open, args, caller);
      case "pin", "unpin":
        return pin(open, verb, args, caller);
      case "pins":
        check(args.isEmpty(), "pins has no arguments");
        return open.pins();
      default:
        return clear(open, args, caller);
    }
  }

  /** Reads can be traced before there is an SSD, to choose one. */
  private ReadTrace.Status trace(List<String> args) {
    String action = args.isEmpty() ? "" : args.get(0);
    if (action.equals("start")) {
      start(args.subList(1, args.size()));
      return trace.status();
    }
    check(args.size() == 1 && List.of("stop", "status").contains(action),
        "expected trace start, trace stop or trace status");
    if (action.equals("stop")) {
      trace.stop();
    }
    return trace.status();
  }

  private void start(List<String> options) {
    double share = 1;
    boolean anonymous = false;
    for (String option : options) {
      if (option.equals("anonymous")) {
        anonymous = true;
      } else {
        check(option.startsWith(SAMPLE),
            "expected trace start [sample=SHARE] [anonymous], got: " + LogText.of(option));
        share = share(option.substring(SAMPLE.length()));
      }
    }
    trace.start(share, anonymous);
  }

  private static double share(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "the sample must be a number above 0, at most 1, got: " + LogText.of(text), e);
    }
  }

  private static List<BlockStatus> top(LocalCacheView open, List<String> args) {
    check(args.size() == 1 || args.size() == 2, "expected top N [reads|pages]");
    int n = args.get(0).matches("[0-9]{1,4}") ? Integer.parseInt(args.get(0)) : 0;
    check(n >= 1 && n <= MAX_BLOCKS, "expected 1 to " + MAX_BLOCKS + " blocks, got: "
        + args.get(0));
    String order = args.size() == 1 ? "reads" : args.get(1);
    check(order.equals("reads") || order.equals("pages"),
        "expected reads or pages, got: " + order);
    return open.top(n, LocalCacheView.Order.valueOf(order.toUpperCase(Locale.ROOT)));
  }

  private static List<Warming> warm(LocalCacheView open, List<BlockKey> blocks, Caller caller) {
    List<Warming> warmed = new ArrayList<>();
    for (BlockKey block : blocks) {
      Warming now = open.warm(block);
      // Whoever is told to ask again does so often.
      if (now.state() != Warming.State.BUSY) {
        LOG.info("Local cache: warm {}: {} {}, by command of {}",
            name(block), now.state(), LogText.of(now.why()), caller);
      }
      warmed.add(now);
    }
    return warmed;
  }

  private static RuntimeSettings.Change set(LocalCacheView open, String verb, List<String> args,
      Caller caller) {
    boolean reset = verb.equals("reset");
    boolean keep = args.size() == 3 && args.get(2).equals("persist");
    check(args.size() == (reset ? 1 : keep ? 3 : 2), "expected set KEY VALUE [persist] or reset KEY");
    RuntimeSettings.Change change = orRefused(verb, args, caller, () -> reset
        ? open.reset(args.get(0)) : open.set(args.get(0), args.get(1), keep));
    LOG.info("Local cache: {} = {} -> {}{}, by command of {}", change.key(),
        LogText.of(change.before()), LogText.of(change.after()), keep ? ", to be kept" : "",
        caller);
    return change;
  }

  /** Does what may be refused, which is in the log then. */
  private static <T> T orRefused(String verb, List<String> args, Caller caller,
      Supplier<T> command) {
    try {
      return command.get();
    } catch (IllegalArgumentException e) {
      LOG.warn("Local cache: {} {} refused to {}: {}",
          verb, LogText.of(args), caller, LogText.of(e.getMessage()));
      throw e;
    }
  }

  private static SsdCommands.Done ssd(LocalCacheView open, List<String> args, Caller caller) {
    check(args.size() == 2, "expected ssd add|drain|remove|replace DIRECTORY");
    SsdCommands.Done done = orRefused(
        "ssd", args, caller, () -> open.ssds().run(args.get(0), args.get(1)));
    LOG.info("Local cache: {} {}, by command of {}",
        LogText.of(done.directory()), done.done(), caller);
    return done;
  }

  private static PinStatus pin(LocalCacheView open, String verb, List<String> args,
      Caller caller) {
    boolean pin = verb.equals("pin");
    check(args.size() == (pin ? 2 : 1), "expected pin PATH QUOTA or unpin PATH");
    PinStatus status = orRefused(verb, args, caller, () -> pin
        ? open.pin(args.get(0), args.get(1)) : open.unpin(args.get(0)));
    LOG.info("Local cache: {} {}, quota {}, by command of {}",
        verb, LogText.of(status.path()), StringUtils.byteDesc(status.quota()), caller);
    return status;
  }

  private static RulesView rules(
      LocalCacheView open, List<String> args, Caller caller) {
    check(args.isEmpty() || args.equals(List.of("reload")), "expected rules or rules reload");
    if (!args.isEmpty()) {
      LOG.info("Local cache: rules are read again, by command of {}", caller);
      open.reloadRules();
    }
    return open.rules();
  }

  private static Map<String, Integer> clear(LocalCacheView open, List<String> args,
      Caller caller) {
    String why = "command of " + caller;
    int pages = 0;
    if (args.equals(List.of("all"))) {
      pages = open.clearAll(why);
      LOG.info("Local cache: clear all: {} pages, by command of {}", pages, caller);
    } else {
      for (BlockKey block : blocks(args)) {
        int ofBlock = open.clear(block, why);
        LOG.info("Local cache: clear {}: {} pages, by command of {}",
            name(block), ofBlock, caller);
        pages += ofBlock;
      }
    }
    return Map.of("pages", pages);
  }

  private static List<BlockKey> blocks(List<String> names) {
    check(!names.isEmpty() && names.size() <= MAX_BLOCKS,
        "expected 1 to " + MAX_BLOCKS + " blocks, got " + names.size());
    return names.stream().map(ViewCommands::block).toList();
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

  /** @return the block for the log: whoever asks for it chooses the name of its pool. */
  private static String name(BlockKey block) {
    return LogText.of(block.toString());
  }

  private static void check(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
