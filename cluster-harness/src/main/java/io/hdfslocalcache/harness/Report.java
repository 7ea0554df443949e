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
 * A report for people: the same parts as text, and as a self-contained HTML page. The page has the
 * parts as JSON, and a script that shows them.
 */
public final class Report {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String title;
  private final List<Part> parts = new ArrayList<>();

  /** Creates a report with only a title. */
  public Report(String title) {
    this.title = title;
  }

  private enum Kind {
    LEAD, HEADING, TEXT, CODE, FIGURE, CHART, TABLE
  }

  /** @param value value for the page's script, by kind */
  private record Part(Kind kind, Object value) {
  }

  private record Page(String title, List<Part> parts) {
  }

  private record Figure(String value, String meaning) {
  }

  /** The look of a series. */
  public enum Look {
    /** The subject of the chart. */
    MAIN,
    /** The baseline. */
    LOW,
    /** An upper bound. */
    HIGH
  }

  /** A point. @param label shown when the pointer is on it; null: its values */
  public record Point(double x, double y, String label) {
  }

  /** A series of points. */
  public record Series(String name, Look look, List<Point> points) {
  }

  /** An axis. @param max its end; null: the end of the points */
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

  /** @return a value as readable JSON, with a final line end. */
  public static String json(Object value) throws JsonProcessingException {
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(value) + "\n";
  }

  private Report add(Kind kind, Object value) {
    parts.add(new Part(kind, value));
    return this;
  }

  /** Adds the most important sentence. @return this */
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

  /** Adds a large figure. @return this */
  public Report figure(String value, String meaning) {
    return add(Kind.FIGURE, new Figure(value, meaning));
  }

  /** Adds a chart, which is not in the text. @return this */
  public Report chart(Chart chart) {
    return add(Kind.CHART, chart);
  }

  /** Adds a table. @return this */
  public Report table(Table table) {
    return add(Kind.TABLE, table);
  }

  /** @return the report as text, without charts. */
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

  /** @return the report as an HTML page. */
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
