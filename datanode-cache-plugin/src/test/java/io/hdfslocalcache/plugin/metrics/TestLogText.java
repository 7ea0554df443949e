/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Collections;
import java.util.List;

import org.junit.Test;

public class TestLogText {

  @Test
  public void ordinaryText_staysAsItIs() {
    for (String text : List.of("", "BP-1-10.0.0.1-2:blk_3", "/a b/ü/漢字/😀", "C:\\n")) {
      assertEquals(text, LogText.of(text));
    }
    assertEquals("[set, on]", LogText.of(List.of("set", "on")));
    assertEquals("[]", LogText.of(List.of()));
    assertEquals("null", LogText.of((String) null));
  }

  /** Characters that end a line, move a terminal's cursor, or reverse the text's direction. */
  @Test
  public void controlCharacters_areEscaped() {
    assertEquals("a\\u000ab\\u000dc\\u0009d", LogText.of("a\nb\rc\td"));
    assertEquals("\\u001b[2J\\u0000\\u007f\\u0085", LogText.of("\u001b[2J\0\u007f\u0085"));
    assertEquals("\\u2028\\u2029\\u202e\\ud800", LogText.of("\u2028\u2029\u202e\ud800"));
    assertEquals("\\ue0041", LogText.of(Character.toString(0xe0041)));
    assertEquals("[set\\u000aWARN, on]", LogText.of(List.of("set\nWARN", "on")));
  }

  @Test
  public void length_isBounded() {
    String most = "x".repeat(300);
    assertEquals(most, LogText.of(most));
    assertEquals(most + "...", LogText.of(most + "y"));
    assertEquals("[" + most + "...]", LogText.of(List.of("x".repeat(1 << 20), "y")));
    for (List<String> words : List.of(Collections.nCopies(1 << 20, ""),
        Collections.nCopies(1 << 20, "\n"))) {
      String text = LogText.of(words);
      assertTrue(text, text.length() < 320 && text.endsWith("...]"));
    }
  }
}
