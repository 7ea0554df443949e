/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.List;
import javax.xml.stream.Location;
import javax.xml.stream.XMLStreamException;

import io.hdfslocalcache.plugin.hdfs.ConfigCheck;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.BlockReaderInterceptor;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Checks a DataNode's configuration before a restart. */
@Command(name = "check-config",
    description = {"Checks on any host whether a DataNode would start with a configuration.",
        "Looks at directories as the user who calls it, who should be the DataNode's, and leaves "
        + "nothing behind. Root looks as HDFS_DATANODE_USER, if that is set.",
        "Exits with 1 if it would not start, or would start without an SSD, unable to save its pins, "
        + "or, although it is enabled, without the local cache; and if a key has no effect because it "
        + "is misspelt."})
final class CheckConfig extends Verb {
  private static final List<String> DEFAULTS = List.of("core-default.xml", "hdfs-default.xml");
  /** The second is the one that starts a secure DataNode, which goes on as the first. */
  private static final List<String> DATANODE_USERS =
      List.of("HDFS_DATANODE_SECURE_USER", "HDFS_DATANODE_USER");
  /** What the documents have hdfs-site.xml include. */
  private static final String INCLUDED = "local-cache-site.xml";
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
    boolean isElsewhere = directory == null && isIncludedFromHere(conf);
    String user = user();
    ConfigCheck.Result result;
    try {
      result = ConfigCheck.check(conf, user);
    } catch (LinkageError e) {
      throw new IOException(
          "the local cache is not installed here, or has another version: " + e, e);
    }
    result.warnings().forEach(session::say);
    if (isElsewhere) {
      session.warn(INCLUDED + " was read from the working directory "
          + Path.of("").toAbsolutePath() + ": move it next to hdfs-site.xml");
    }
    if (isElsewhere || !result.mistakes().isEmpty()) {
      result.mistakes().forEach(mistake -> session.warn(Text.oneLine(mistake)));
      return Session.FAILED;
    }
    // The last line is not a warning: install.sh shows those before it.
    session.say(!result.isUsed() ? "The DataNode starts without the local cache: "
        + BlockReaderInterceptor.CLASS_KEY + " is not set."
        : result.warnings().isEmpty() ? "The configuration is valid"
            + (user == null ? "." : " if the DataNode's user is " + user + ".")
        : "The DataNode starts with this configuration"
            + (user == null ? "." : " if its user is " + user + "."));
    return Session.DONE;
  }

  /**
   * @return whether Hadoop's configuration includes a file of the working directory, as Hadoop does
   *     if it finds no such file on the class path
   */
  private static boolean isIncludedFromHere(Configuration conf) throws IOException {
    Path here = Path.of(INCLUDED).toAbsolutePath();
    URL site = conf.getResource(SITES.get(1));
    if (site == null || !Files.exists(here)
        || isAt(conf, SITES.get(1), here.resolveSibling(SITES.get(1)))
        || conf.getResource(INCLUDED) != null && !isAt(conf, INCLUDED, here)) {
      return false;
    }
    try (InputStream text = site.openStream()) {
      return new String(text.readAllBytes(), UTF_8).contains('"' + INCLUDED + '"');
    }
  }

  private static boolean isAt(Configuration conf, String resource, Path file) throws IOException {
    return String.valueOf(conf.getResource(resource)).equals(file.toUri().toURL().toString());
  }

  /** @return the DataNode's user; null if root asks, and it is not known. */
  private static String user() throws IOException {
    String caller = System.getProperty("user.name");
    if (!caller.equals("root")) {
      return caller;
    }
    for (String key : DATANODE_USERS) {
      String user = System.getenv(key);
      if (user != null && !user.isBlank()) {
        try {
          FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(user);
        } catch (UserPrincipalNotFoundException e) {
          throw new IOException(key + " = " + user + ": this host has no such user", e);
        }
        return user;
      }
    }
    return null;
  }

  /** Reads only that directory, not this host's configuration. */
  private static Configuration read(Path directory) throws IOException {
    if (Files.isRegularFile(directory)) {
      throw new IOException(directory + ": is a file; name its directory");
    }
    if (!Files.isRegularFile(directory.resolve("hdfs-site.xml"))) {
      throw new IOException(directory + ": there is no hdfs-site.xml");
    }
    Configuration conf = new Configuration(false);
    // Hadoop looks for included files on the class path first, where it would find this host's.
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
        conf.addResource(new org.apache.hadoop.fs.Path(file.toAbsolutePath().toUri()));
      }
    }
    load(conf);
    return conf;
  }

  /**
   * Has Hadoop read the files of a configuration.
   *
   * @throws IOException in one line, with file and line, if one cannot be read
   */
  static void load(Configuration conf) throws IOException {
    try {
      conf.size();
    } catch (RuntimeException e) {
      if (e.getCause() instanceof XMLStreamException broken && broken.getLocation() != null) {
        Location where = broken.getLocation();
        throw new IOException(String.valueOf(where.getSystemId()).replaceFirst("^file:/*", "/")
            + ":" + where.getLineNumber() + ": " + broken.getMessage().split("\n")[0], e);
      }
      throw new IOException(
          "Hadoop's configuration cannot be read: " + Text.oneLine(e.getMessage()), e);
    }
  }
}
