/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Writes the configuration directories of Hadoop's daemons and clients. */
public final class SiteFile {

  /** A DataNode on free ports of the loopback interface. */
  public static final Map<String, String> ANY_PORTS = Map.of(
      "dfs.datanode.address", "127.0.0.1:0",
      "dfs.datanode.http.address", "127.0.0.1:0",
      "dfs.datanode.ipc.address", "127.0.0.1:0");

  /** Turns off the DataNode's own reads of its disks, which would be counted as clients' reads. */
  public static final Map<String, String> QUIET_DISKS = Map.of(
      "dfs.datanode.directoryscan.interval", "-1",
      "dfs.block.scanner.volume.bytes.per.second", "0",
      "fs.getspaceused.classname", "org.apache.hadoop.fs.DFCachingGetSpaceUsed");

  private static final String LOG4J = """
      log4j.rootLogger=INFO, console
      log4j.appender.console=org.apache.log4j.ConsoleAppender
      log4j.appender.console.target=System.err
      log4j.appender.console.layout=org.apache.log4j.PatternLayout
      log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c{2}: %m%n
      """;

  private SiteFile() {
  }

  /** Writes the same settings for all parts of Hadoop into a new directory. */
  public static void writeAll(Path directory, Iterable<? extends Map.Entry<String, ?>> settings)
      throws IOException {
    Files.createDirectories(directory);
    write(directory.resolve("core-site.xml"), settings, "");
    write(directory.resolve("hdfs-site.xml"), settings, "");
  }

  /** Writes a file. @param more elements of XML behind the settings */
  public static void write(Path file, Iterable<? extends Map.Entry<String, ?>> settings,
      String more) throws IOException {
    Files.writeString(file,
        "<configuration>\n" + properties(settings) + more + "</configuration>\n");
  }

  /** @return settings in the format of such a file. */
  public static String properties(Iterable<? extends Map.Entry<String, ?>> settings) {
    StringBuilder xml = new StringBuilder();
    settings.forEach(setting -> xml.append("<property>\n  <name>").append(setting.getKey())
        .append("</name>\n  <value>").append(String.valueOf(setting.getValue())
            .replace("&", "&amp;").replace("<", "&lt;")).append("</value>\n</property>\n"));
    return xml.toString();
  }

  /** Makes programs with this configuration log to standard error. */
  public static void logToConsole(Path directory) throws IOException {
    Files.writeString(directory.resolve("log4j.properties"), LOG4J);
  }
}
