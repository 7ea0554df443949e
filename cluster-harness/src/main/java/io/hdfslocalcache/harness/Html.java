/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Text in HTML and XML. */
public final class Html {

  private static final String STYLE = "report.css";

  private Html() {
  }

  /** @return the beginning of a page that loads nothing, up to its content. */
  public static String head(String title) throws IOException {
    try (InputStream in = Html.class.getResourceAsStream(STYLE)) {
      return String.format("<!DOCTYPE html>%n<html lang=\"en\"><head><meta charset=\"utf-8\">%n"
          + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">%n"
          + "<title>%s</title>%n<style>%n%s</style></head>%n<body><main>%n", escape(title),
          new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /** @return the end of a page. */
  public static String foot() {
    return "</main></body></html>\n";
  }

  /** @return text in which no character means anything but itself. */
  public static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
