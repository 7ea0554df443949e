/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The arguments of a verb: options, which begin with two hyphens, and the rest. */
final class Options {
  private final Map<String, String> options = new HashMap<>();
  private final List<String> rest = new ArrayList<>();

  private Options() {}

  /**
   * Takes arguments apart.
   *
   * @param flags the options without a value
   * @param valued the options with one
   * @throws UsageException for any other option, one given twice, or one without its value
   */
  static Options parse(List<String> args, Set<String> flags, Set<String> valued)
      throws UsageException {
    Options parsed = new Options();
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      if (!arg.startsWith("--")) {
        parsed.rest.add(arg);
        continue;
      }
      String value = "";
      if (valued.contains(arg)) {
        i++;
        if (i == args.size() || args.get(i).isEmpty()) {
          throw new UsageException(arg + " needs a value");
        }
        value = args.get(i);
      } else if (!flags.contains(arg)) {
        throw new UsageException("unknown option: " + arg);
      }
      if (parsed.options.put(arg, value) != null) {
        throw new UsageException(arg + " is given twice");
      }
    }
    return parsed;
  }

  boolean has(String option) {
    return options.containsKey(option);
  }

  /** Returns the value of an option, or null. */
  String value(String option) {
    return options.get(option);
  }

  /** Returns the whole number that an option gives. */
  int number(String option, int byDefault, int max) throws UsageException {
    String value = options.getOrDefault(option, String.valueOf(byDefault));
    try {
      int number = Integer.parseInt(value);
      if (number >= 1 && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new UsageException(option + " must be a number from 1 to " + max + ", got: " + value);
  }

  /** Returns what is not an option. */
  List<String> rest() {
    return rest;
  }

  /** Returns the only argument that is not an option. */
  String only(String what) throws UsageException {
    if (rest.isEmpty()) {
      throw new UsageException("expected " + what);
    }
    if (rest.size() > 1) {
      throw new UsageException("too many arguments: " + String.join(" ", rest));
    }
    return rest.get(0);
  }
}
