/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.java8;

import java.io.BufferedReader;
import java.io.StringReader;
import java.util.stream.Stream;

/** {@link String}. */
public final class Strings {

  private Strings() {
  }

  public static String strip(String text) {
    int begin = 0;
    int end = text.length();
    while (begin < end && Character.isWhitespace(text.charAt(begin))) {
      begin++;
    }
    while (begin < end && Character.isWhitespace(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(begin, end);
  }

  public static boolean isBlank(String text) {
    return strip(text).isEmpty();
  }

  public static Stream<String> lines(String text) {
    return new BufferedReader(new StringReader(text)).lines();
  }
}
