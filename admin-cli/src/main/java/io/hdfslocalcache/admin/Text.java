/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.util.Locale;

import com.fasterxml.jackson.databind.JsonNode;

/** Numbers and settings for people. */
final class Text {
  private Text() {}

  /** @return such as {@code 99.5 %}; a hyphen when there is nothing to divide by. */
  static String percent(JsonNode share) {
    return percent(share.isNumber() ? Double.valueOf(share.asDouble()) : null);
  }

  /** The same for a share that is null when there is nothing to divide by. */
  static String percent(Double share) {
    return share == null ? "-" : String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  /**
   * Describes how long a setting lasts.
   *
   * @param value the value in force
   * @param setting with {@code configured}, and {@code kept} if another value survives a restart
   */
  static String lasting(String value, JsonNode setting) {
    String configured = setting.path("configured").asText();
    String kept = setting.path("kept").asText(null);
    if (value.equals(kept)) {
      return ", saved for restarts, configured is " + configured;
    }
    return " until the DataNode restarts" + (kept == null ? "" : ", saved is " + kept)
        + ", configured is " + configured;
  }

  /** @return such as {@code 8 s} or {@code 3 min 20 s}. */
  static String seconds(long millis) {
    long seconds = (millis + 500) / 1000;
    return seconds < 60 ? seconds + " s" : seconds < 3600
        ? seconds / 60 + " min " + seconds % 60 + " s"
        : seconds / 3600 + " h " + seconds / 60 % 60 + " min";
  }

  /** @return a message from outside, on one line. */
  static String oneLine(String message) {
    return String.valueOf(message).replaceAll("\\s+", " ").strip();
  }

  /** @return such as {@code 1 page} or {@code 2 pages}. */
  static String count(long n, String noun) {
    return n + " " + noun + (n == 1 ? "" : "s");
  }
}
