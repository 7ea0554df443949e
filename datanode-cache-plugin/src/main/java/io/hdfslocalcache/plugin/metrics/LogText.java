/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

import java.util.List;

/**
 * Makes text from outside, such as a path or a user's name, safe for the log: it cannot start a new
 * line, control a terminal, or fill the disk.
 */
public final class LogText {

  private static final int MOST = 300;

  private LogText() {
  }

  /** @return the text with control characters escaped, cut at a maximum length. */
  public static String of(String text) {
    if (text == null) {
      return "null";
    }
    StringBuilder line = new StringBuilder(Math.min(text.length(), MOST + 3));
    int at = 0;
    while (at < text.length() && line.length() < MOST) {
      int c = text.codePointAt(at);
      at += Character.charCount(c);
      append(line, c);
    }
    return at < text.length() ? line.append("...").toString() : line.toString();
  }

  /** The same without a limit of its length, for the terminal. */
  public static String whole(String text) {
    StringBuilder line = new StringBuilder(text.length());
    text.codePoints().forEach(c -> append(line, c));
    return line.toString();
  }

  private static void append(StringBuilder line, int c) {
    if (isVisible(c)) {
      line.appendCodePoint(c);
    } else {
      line.append(String.format("\\u%04x", c));
    }
  }

  /** The same of words, as a list shows them. */
  public static String of(List<String> words) {
    // Stops at the maximum length: a sender's message may have many megabytes.
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words.size() && text.length() <= MOST; i++) {
      String word = words.get(i);
      text.append(i == 0 ? "" : ", ").append(word, 0, Math.min(word.length(), MOST + 1));
    }
    return "[" + of(text.toString()) + "]";
  }

  private static boolean isVisible(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR, Character.SURROGATE -> false;
      default -> true;
    };
  }
}
