/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Writes the configuration directory of a daemon. */
final class SiteFile {

  private static final String LOG4J = """
      log4j.rootLogger=INFO, console
      log4j.appender.console=org.apache.log4j.ConsoleAppender
      log4j.appender.console.target=System.err
      log4j.appender.console.layout=org.apache.log4j.PatternLayout
      log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c{2}: %m%n
      """;
  /** By default /jmx shows the same figures for 10 seconds. */
  private static final String METRICS = "*.periodMillis=200\n";

  private SiteFile() {
  }

  static void write(Path directory, Map<String, String> conf) throws IOException {
    Files.createDirectories(directory);
    StringBuilder xml = new StringBuilder("<configuration>\n");
    new TreeMap<>(conf).forEach((key, value) -> xml.append("  <property><name>").append(key)
        .append("</name><value>").append(value).append("</value></property>\n"));
    xml.append("</configuration>\n");
    Files.writeString(directory.resolve("hdfs-site.xml"), xml);
    Files.writeString(directory.resolve("core-site.xml"), xml);
    Files.writeString(directory.resolve("log4j.properties"), LOG4J);
    Files.writeString(directory.resolve("hadoop-metrics2.properties"), METRICS);
  }
}
