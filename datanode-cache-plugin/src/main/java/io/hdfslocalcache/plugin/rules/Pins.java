/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.plugin.metrics.RuleStatus;
import io.hdfslocalcache.plugin.ssd.KeptState;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paths that operators have pinned by command: rules that come before those of the file, the
 * longest path first. They survive restarts.
 */
public final class Pins {

  /**
   * A path pinned by command.
   *
   * @param path absolute HDFS path, with everything below it
   * @param quota bytes that its pages may take on all SSDs
   * @param pages its pages now
   * @param bytes SSD space of its pages
   * @param replicas replicas of this DataNode on the path, as far as known
   * @param neededBytes SSD space that all their pages take
   * @param refused whether a NameNode did not list the path when it was last asked
   */
  public record PinStatus(String path, long quota, long pages, long bytes, long replicas,
      long neededBytes, boolean refused) {
  }

  private static final Logger LOG = LoggerFactory.getLogger(Pins.class);
  private static final String PREFIX = "pin.";
  private static final String PATH = "path";
  private static final String QUOTA = "quota";
  private static final String WILDCARDS = ".*[*?\\[\\]{}\\\\].*";
  private static final int NAME_LENGTH = 40;
  private static final String DEFAULT = "default";
  /** Default quota of a pin: the capacity divided by this. */
  private static final int DEFAULT_PART = 10;

  private final RuleKeeper keeper;
  private final KeptState kept;
  private volatile List<Rule> pins = List.of();

  /**
   * Applies the saved pins, as far as they are read already.
   *
   * @param keeper applies the pins
   * @param kept saves the pins
   */
  public Pins(RuleKeeper keeper, KeptState kept) {
    this.keeper = keeper;
    this.kept = kept;
    restore();
  }

  /** Applies the saved pins. Errors are logged. */
  public synchronized void restore() {
    List<Rule> now = rules(kept.get(KeptState.PINS));
    if (now.equals(pins)) {
      return;
    }
    try {
      keeper.usePins(now);
      pins = now;
    } catch (BadRulesException e) {
      LOG.error("Local cache: cannot apply the saved pins: {}", e.getMessage());
    }
  }

  /** The most specific rule decides: the longest path comes first. */
  private static List<Rule> rules(JsonNode kept) {
    List<Rule> pins = new ArrayList<>();
    if (kept != null) {
      for (JsonNode pin : kept) {
        String path = pin.path(PATH).asText();
        if (path.startsWith("/") && pin.path(QUOTA).asLong() > 0) {
          pins.add(rule(path, pin.path(QUOTA).asLong()));
        }
      }
    }
    pins.sort(Comparator.comparingInt((Rule pin) -> pin.paths().get(0).length()).reversed());
    return List.copyOf(pins);
  }

  private static Rule rule(String path, long quota) {
    return new Rule(
        name(path), RuleAction.PIN, quota, List.of(path), List.of(), List.of());
  }

  /**
   * Pins a path, or changes its quota. Its blocks are looked up in the background, also if it is
   * pinned already.
   *
   * @param path absolute, without wildcards
   * @param wanted bytes that its pages may take, with or without a suffix; {@code default}: as
   *     before, or else a tenth of the capacity
   * @param capacity bytes that all pins together may take
   * @param pageSize bytes of block data in a page
   * @throws BadRulesException if that is not possible; nothing was changed
   */
  public PinStatus pin(String path, String wanted, long capacity, int pageSize)
      throws BadRulesException {
    PinStatus before = status(path);
    long quota = before != null && wanted.equals(DEFAULT) ? before.quota()
        : quota(wanted, capacity, pageSize);
    if (!path.startsWith("/") || path.matches(WILDCARDS)) {
      throw new BadRulesException(path, "must be an absolute path without wildcards", null);
    }
    if (before != null && quota == before.quota()) {
      // There is nothing to save, but the last listing may be minutes old.
      keeper.listAgain();
      return before;
    }
    change(path, others -> {
      long taken = others.stream().mapToLong(Rule::quota).sum();
      // The capacity may have become less than the pins have.
      boolean isMore = before == null || quota > before.quota();
      if (isMore && capacity == 0) {
        throw new BadRulesException(path, "no SSD is in use, or its size is not known yet", null);
      }
      if (isMore && quota > capacity - taken) {
        throw new BadRulesException(path, "with a quota of " + Sizes.text(quota) + ", "
            + tooMuch(taken + quota, capacity), null);
      }
      others.add(rule(path, quota));
      keeper.checkPins(others);
    });
    return status(path);
  }

  /**
   * @param capacity bytes that all pins together may take
   * @return that their quotas are more; empty if they are not
   */
  public String tooMuch(long capacity) {
    long taken = pins.stream().mapToLong(Rule::quota).sum();
    return taken > capacity ? tooMuch(taken, capacity) : "";
  }

  private static String tooMuch(long taken, long capacity) {
    return "all pins have " + Sizes.text(taken, capacity) + ", which is more than the "
        + Sizes.text(capacity, taken) + " that the local cache holds";
  }

  private static long quota(String wanted, long capacity, int pageSize) throws BadRulesException {
    // A page takes more space than its data.
    long least = 2L * pageSize;
    long quota;
    try {
      quota = wanted.equals(DEFAULT) ? Math.max(least, capacity / DEFAULT_PART)
          : TraditionalBinaryPrefix.string2long(wanted);
    } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
      throw new BadRulesException("quota = " + wanted, "must be a number of bytes, with or without "
          + "one of the suffixes k, m, g, t", e);
    }
    if (quota < least) {
      throw new BadRulesException("quota = " + wanted,
          "must be at least " + Sizes.text(least) + ", two pages", null);
    }
    return quota;
  }

  /**
   * Ends a pin. Its pages stay until others need the space.
   *
   * @return the former pin
   * @throws BadRulesException if the path is not pinned, or that is not known; nothing was changed
   */
  public PinStatus unpin(String path) throws BadRulesException {
    PinStatus before = status(path);
    change(path, others -> {
      if (before == null) {
        throw new BadRulesException(path, "not pinned", null);
      }
    });
    return before;
  }

  private interface Change {

    /** @param others the pins of other paths, to which it may add one */
    void apply(List<Rule> others) throws BadRulesException;
  }

  /** Not synchronized, because it waits for an SSD. */
  private void change(String path, Change change) throws BadRulesException {
    try {
      kept.change(KeptState.PINS, before -> {
        List<Rule> changed = new ArrayList<>(rules(before));
        changed.removeIf(pin -> pin.paths().get(0).equals(path));
        change.apply(changed);
        ArrayNode json = JsonNodeFactory.instance.arrayNode();
        changed.forEach(pin ->
            json.addObject().put(PATH, pin.paths().get(0)).put(QUOTA, pin.quota()));
        return json;
      });
    } catch (BadRulesException e) {
      throw e;
    } catch (IOException e) {
      throw BadRulesException.notSaved(path, e);
    }
    restore();
  }

  /** @return the pins, the longest path first. */
  public List<PinStatus> all() {
    List<RuleStatus> accounts = keeper.rules().status();
    return pins.stream().flatMap(pin -> accounts.stream()
        .filter(account -> account.name().equals(pin.name()))
        .map(account -> new PinStatus(
            pin.paths().get(0), pin.quota(), account.pages(), account.bytes(),
            account.replicas(), account.neededBytes(), keeper.isRefused(pin.name())))).toList();
  }

  /** @return the pinned path of each rule that is a pin, by the rule's name. */
  public Map<String, String> paths() {
    Map<String, String> paths = new TreeMap<>();
    pins.forEach(pin -> paths.put(pin.name(), pin.paths().get(0)));
    return paths;
  }

  private PinStatus status(String path) {
    return all().stream().filter(pin -> pin.path().equals(path)).findFirst().orElse(null);
  }

  /** @return a rule name derived from the path. */
  private static String name(String path) {
    String letters = path.substring(1).replaceAll("[^A-Za-z0-9_.-]", ".");
    return PREFIX + letters.substring(0, Math.min(NAME_LENGTH, letters.length())) + "."
        + Integer.toHexString(path.hashCode());
  }

  /** @return the name of a rule, without the path if it is a pin. */
  public static String nameWithoutPath(String rule) {
    return rule.startsWith(PREFIX) ? PREFIX + rule.substring(rule.lastIndexOf('.') + 1) : rule;
  }
}
