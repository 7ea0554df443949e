/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Results for people: the same parts as text, and as a page of HTML that loads nothing. The page has
 * the parts as JSON, and a script that shows them.
 */
public final class Report {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String title;
  private final List<Part> parts = new ArrayList<>();

  /** Makes one that has only a title. */
  public Report(String title) {
    this.title = title;
  }

  private enum Kind {
    LEAD, HEADING, TEXT, CODE, FIGURE, CHART, TABLE
  }

  /** @param value what the script of the page knows by the kind */
  private record Part(Kind kind, Object value) {
  }

  private record Page(String title, List<Part> parts) {
  }

  private record Figure(String value, String meaning) {
  }

  /** How a series looks. */
  public enum Look {
    /** What the chart is about. */
    MAIN,
    /** What that is compared with. */
    LOW,
    /** What nothing reaches. */
    HIGH
  }

  /** A point. @param label shown when the pointer is on it; null: its values */
  public record Point(double x, double y, String label) {
  }

  /** Points that belong together. */
  public record Series(String name, Look look, List<Point> points) {
  }

  /** An axis. @param max where it ends; null: where the points end */
  public record Axis(String title, boolean logarithmic, Double max) {

    /** @return an axis from 0. */
    public static Axis of(String title) {
      return new Axis(title, false, null);
    }

    /** @return an axis from 0 to 100. */
    public static Axis percent(String title) {
      return new Axis(title, false, 100.0);
    }

    /** @return a logarithmic axis. */
    public static Axis log(String title) {
      return new Axis(title, true, null);
    }
  }

  /** A chart. @param caption below it; null: none */
  public record Chart(String title, String caption, Axis x, Axis y, List<Series> series) {
  }

  /** @return anything as JSON for people and programs, with the end of the last line. */
  public static String json(Object value) throws JsonProcessingException {
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(value) + "\n";
  }

  private Report add(Kind kind, Object value) {
    parts.add(new Part(kind, value));
    return this;
  }

  /** Adds the sentence that matters most. @return this */
  public Report lead(String sentence) {
    return add(Kind.LEAD, sentence);
  }

  /** Adds a heading. @return this */
  public Report heading(String heading) {
    return add(Kind.HEADING, heading);
  }

  /** Adds a paragraph. @return this */
  public Report text(String paragraph) {
    return add(Kind.TEXT, paragraph);
  }

  /** Adds lines of a file. @return this */
  public Report code(String lines) {
    return add(Kind.CODE, lines);
  }

  /** Adds a figure that is shown large. @return this */
  public Report figure(String value, String meaning) {
    return add(Kind.FIGURE, new Figure(value, meaning));
  }

  /** Adds a chart, which is left out of the text. @return this */
  public Report chart(Chart chart) {
    return add(Kind.CHART, chart);
  }

  /** Adds a table. @return this */
  public Report table(Table table) {
    return add(Kind.TABLE, table);
  }

  /** @return all but the charts, as text. */
  public String text() {
    StringBuilder text = new StringBuilder(title).append('\n');
    Kind last = null;
    for (Part part : parts) {
      if (part.kind != Kind.CHART) {
        text.append(part.kind == last && part.kind != Kind.TABLE || last == Kind.HEADING ? "" : "\n");
        text.append(part.value instanceof Table table ? table.text()
            : part.value instanceof Figure figure ? figure.meaning + ": " + figure.value + "\n"
            : part.value + "\n");
      }
      last = part.kind;
    }
    return text.toString();
  }

  /** @return all as a page of HTML. */
  public String html() throws IOException {
    // In JSON, this character can only be in a string.
    String report = JSON.writeValueAsString(new Page(title, parts)).replace("<", "\\u003c");
    return resource("report.html").replace("@LIBRARY@", resource("chart/dist/chart.umd.js"))
        .replace("@REPORT@", report);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Report.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
