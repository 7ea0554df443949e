/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

/** Writes what a run leaves behind. */
public final class Report {

  private Report() {
  }

  /** Writes data, tables and, if wanted, charts into the directory. @return the tables. */
  public static String write(Results results, Environment environment, Path directory,
      boolean charts) throws IOException {
    new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(
        directory.resolve("measurements.json").toFile(),
        Map.of("name", environment.name(), "environment", environment.facts(),
            "notes", results.notes(), "measurements", results.rows(), "timelines", results.timelines()));
    String tables = Markdown.of(results, environment);
    Files.writeString(directory.resolve("README.md"), tables);
    if (charts) {
      Charts.write(results, directory);
    }
    return tables;
  }
}
