/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.util.Locale;

/**
 * A picture as SVG. Written here because the libraries there are draw by AWT: they need fonts on
 * the machine, which servers do not have, and turn text into outlines.
 */
final class Svg {

  private final StringBuilder svg = new StringBuilder();

  /** Begins a picture with a title on a white ground; sizes are in pixels. */
  Svg(String title, int width, int height) {
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
        + "font-family=\"sans-serif\" font-size=\"11\">%n"
        + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n", width, height);
    add("<text x=\"10\" y=\"22\" font-size=\"15\">%s</text>%n", title);
  }

  /** Adds elements. @param format as of {@link String#format} */
  Svg add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values));
    return this;
  }

  /** Adds a text. @param anchor where of it the place is: start, middle or end */
  Svg text(double x, double y, String anchor, String colour, String text) {
    return add("<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n",
        x, y, anchor, colour, text);
  }

  /** Adds a line. @param to such as {@code H10}: where it goes to, across or down */
  Svg line(double x, double y, String to, String colour) {
    return add("<path d=\"M%.1f %.1f%s\" stroke=\"%s\"/>", x, y, to, colour);
  }

  /** @return all of it. */
  @Override
  public String toString() {
    return svg + "</svg>\n";
  }
}
