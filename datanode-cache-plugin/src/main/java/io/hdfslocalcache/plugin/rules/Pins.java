/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.hdfslocalcache.plugin.metrics.RuleStatus;
import io.hdfslocalcache.plugin.ssd.KeptFile;
import org.apache.hadoop.util.StringUtils;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/**
 * The paths that operators have pinned by command: rules that come before those of the file, the
 * longest path first. They are kept over a restart in a file of their own.
 */
public final class Pins {

  /**
   * A path that an operator has pinned by command.
   *
   * @param path absolute HDFS path, with all that is below it
   * @param quota bytes that its pages may take on all SSDs
   * @param pages pages that are on its account now
   * @param bytes SSD space that they take
   * @param lookedUp whether the NameNode has been asked for its blocks since the rules have changed
   */
  public record PinStatus(String path, long quota, long pages, long bytes, boolean lookedUp) {
  }

  private static final String WILDCARDS = ".*[*?\\[\\]{}\\\\].*";
  private static final int NAME_LENGTH = 40;
  private static final String DEFAULT = "default";
  /** What one pin takes of the capacity if nobody says how much. */
  private static final int DEFAULT_PART = 10;

  private final RuleKeeper keeper;
  private KeptFile file = KeptFile.nowhere("pins");
  private List<Rule> pins = List.of();

  /** Without any, and without a place to keep them. @param keeper puts them in force */
  public Pins(RuleKeeper keeper) {
    this.keeper = keeper;
  }

  /**
   * Puts the pins of before the restart in force. If they cannot be read none is, which is logged,
   * and none can be made, or it would overwrite them.
   *
   * @param kept where they are kept
   */
  public synchronized void open(KeptFile kept) {
    file = kept;
    file.open(this::read);
  }

  /** An SSD has come, on which pins may be, or are to be kept. */
  public synchronized void openAgain() {
    file.openAgain();
  }

  private void read(byte[] json, Path path) throws BadRulesException {
    List<Rule> read = PinFile.read(json, path);
    keeper.usePins(read);
    pins = read;
  }

  /**
   * Pins a path, or changes its quota. Its blocks are looked up soon.
   *
   * @param path absolute, without wildcards
   * @param wanted bytes that its pages may take, with or without a suffix; {@code default}: a tenth
   *     of the capacity
   * @param capacity bytes that all pins together may take
   * @param pageSize bytes of block data in a page
   * @throws BadRulesException if that is not possible, and nothing was changed
   */
  public synchronized PinStatus pin(String path, String wanted, long capacity, int pageSize)
      throws BadRulesException {
    long quota = quota(wanted, capacity, pageSize);
    if (!path.startsWith("/") || path.matches(WILDCARDS)) {
      throw new BadRulesException(path, "must be an absolute path without wildcards", null);
    }
    List<Rule> others = without(path);
    long taken = others.stream().mapToLong(Rule::quota).sum();
    if (quota > capacity - taken) {
      throw new BadRulesException(path, "a quota of " + StringUtils.byteDesc(quota) + ", with "
          + StringUtils.byteDesc(taken) + " of other pins, is more than the "
          + StringUtils.byteDesc(capacity) + " that the local cache holds", null);
    }
    others.add(new Rule(name(path), null, RuleAction.PIN, quota, List.of(path), List.of(),
        List.of()));
    // The rule that is nearest to a file decides.
    others.sort(Comparator.comparingInt((Rule pin) -> pin.paths().get(0).length()).reversed());
    change(others, path);
    return status(path);
  }

  private static long quota(String wanted, long capacity, int pageSize) throws BadRulesException {
    // A page takes more than its data.
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
          "must be at least " + StringUtils.byteDesc(least) + ", two pages", null);
    }
    return quota;
  }

  /**
   * Ends a pin. Pages stay until others need the room.
   *
   * @return what was pinned
   * @throws BadRulesException if the path is not pinned, and nothing was changed
   */
  public synchronized PinStatus unpin(String path) throws BadRulesException {
    PinStatus before = status(path);
    if (before == null) {
      throw new BadRulesException(path, "not pinned", null);
    }
    change(without(path), path);
    return before;
  }

  private void change(List<Rule> changed, String path) throws BadRulesException {
    keeper.checkPins(changed);
    try {
      file.write(PinFile.write(changed));
    } catch (IOException e) {
      throw new BadRulesException(
          path, "cannot be kept, and is not done: " + e.getMessage(), e);
    }
    keeper.usePins(changed);
    pins = List.copyOf(changed);
  }

  private List<Rule> without(String path) {
    List<Rule> others = new ArrayList<>(pins);
    others.removeIf(pin -> pin.paths().get(0).equals(path));
    return others;
  }

  /** @return the pins, the longest path first. */
  public synchronized List<PinStatus> all() {
    List<RuleStatus> accounts = keeper.rules().status();
    boolean lookedUp = keeper.isLookedUp();
    return pins.stream().map(pin -> {
      RuleStatus account = accounts.stream().filter(one -> one.name().equals(pin.name()))
          .findFirst().orElseThrow();
      return new PinStatus(
          pin.paths().get(0), pin.quota(), account.pages(), account.bytes(), lookedUp);
    }).toList();
  }

  private PinStatus status(String path) {
    return all().stream().filter(pin -> pin.path().equals(path)).findFirst().orElse(null);
  }

  /** @return a rule's name that shows the path, as far as names can. */
  private static String name(String path) {
    String letters = path.substring(1).replaceAll("[^A-Za-z0-9_.-]", ".");
    return "pin." + letters.substring(0, Math.min(NAME_LENGTH, letters.length())) + "."
        + Integer.toHexString(path.hashCode());
  }
}
