/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParserFactory;

import io.hdfslocalcache.plugin.hdfs.ConfigCheck;
import org.apache.hadoop.conf.Configuration;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Tells before a restart what the DataNode would say of its configuration. */
@Command(name = "check-config",
    description = {"Says whether a DataNode would start with a configuration, on any host.",
        "Changes nothing. Exits with 1 if it would not, or without the local cache."})
final class CheckConfig extends Verb {
  private static final List<String> DEFAULTS = List.of("core-default.xml", "hdfs-default.xml");
  private static final List<String> SITES = List.of("core-site.xml", "hdfs-site.xml");

  @Parameters(arity = "0..1", paramLabel = "DIR", description = "The directory of hdfs-site.xml "
      + "(default: Hadoop's configuration on this host).")
  private String directory;

  CheckConfig(Session session) {
    super(session);
  }

  @Override
  int run() throws IOException {
    Configuration conf = directory == null ? session.conf() : read(Path.of(directory));
    List<String> warnings = new ArrayList<>();
    try {
      ConfigCheck.check(conf, warnings);
    } catch (LinkageError e) {
      throw new IOException(
          "the local cache is not installed here, or is of another version: " + e, e);
    } finally {
      warnings.forEach(session.out()::println);
    }
    session.out().println(warnings.isEmpty() ? "The configuration is in order."
        : "The DataNode starts with this configuration.");
    return Session.DONE;
  }

  /** Only what is there, and not what this host has besides. */
  private static Configuration read(Path directory) throws IOException {
    if (!Files.isRegularFile(directory.resolve("hdfs-site.xml"))) {
      throw new IOException(directory + ": there is no hdfs-site.xml");
    }
    Configuration conf = new Configuration(false);
    // Hadoop looks for what is included on the class path first: there, this host's own would be found.
    conf.setClassLoader(new ClassLoader(conf.getClassLoader()) {
      @Override
      public URL getResource(String name) {
        return DEFAULTS.contains(name) ? super.getResource(name) : null;
      }
    });
    DEFAULTS.forEach(conf::addResource);
    for (String site : SITES) {
      Path file = directory.resolve(site);
      if (Files.exists(file)) {
        checkWellFormed(file.toUri().toString());
        conf.addResource(new org.apache.hadoop.fs.Path(file.toAbsolutePath().toUri()));
      }
    }
    try {
      conf.size();
    } catch (RuntimeException e) {
      throw new IOException(directory + " cannot be read: " + Text.oneLine(e.getMessage()), e);
    }
    return conf;
  }

  /**
   * Before Hadoop reads them, for it would show a stack trace first.
   *
   * @throws IOException if a file of this host is no XML
   */
  static void checkWellFormed(Configuration conf) throws IOException {
    for (String site : SITES) {
      URL file = conf.getResource(site);
      if (file != null) {
        checkWellFormed(file.toString());
      }
    }
  }

  /** Of what the file includes, Hadoop tells. */
  private static void checkWellFormed(String uri) throws IOException {
    try {
      SAXParserFactory.newInstance().newSAXParser().parse(uri, new DefaultHandler());
    } catch (SAXParseException e) {
      throw new IOException(
          uri.replaceFirst("^file:/*", "/") + ":" + e.getLineNumber() + ": " + e.getMessage(), e);
    } catch (SAXException | ParserConfigurationException e) {
      throw new IOException(uri + ": " + e.getMessage(), e);
    }
  }
}
