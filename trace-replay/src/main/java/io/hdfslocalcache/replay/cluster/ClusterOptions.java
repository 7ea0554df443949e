/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cluster;

import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.security.AccessControlException;
import picocli.CommandLine.Option;

/** The cluster of a command, given by Hadoop's options. */
public final class ClusterOptions {

  private static final String CONNECT_RETRIES = "ipc.client.connect.max.retries";
  private static final String YARN_PATIENCE = "yarn.resourcemanager.connect.max-wait.ms";
  private static final int YARN_PATIENCE_MILLIS = 60_000;

  @Option(names = "-D", paramLabel = "KEY=VALUE", description = "Sets a key, as in hadoop.")
  private Map<String, String> settings = new HashMap<>();

  @Option(names = "-conf", paramLabel = "FILE", description = "A configuration file.")
  private List<String> files = List.of();

  @Option(names = "-fs", paramLabel = "URI", description = "URI of the NameNode.")
  private URI nameNode;

  /** @return the keys that were set. */
  public Map<String, String> settings() {
    return settings;
  }

  /** @return a configuration with these options on top, including MapReduce's keys. */
  public Configuration on(Configuration base) {
    Configuration conf = LineJob.configuration(base);
    files.forEach(file -> conf.addResource(new Path(file)));
    if (nameNode != null) {
      FileSystem.setDefaultUri(conf, nameNode);
    }
    settings.forEach(conf::set);
    if (!settings.containsKey(YARN_PATIENCE)) {
      conf.setInt(YARN_PATIENCE, YARN_PATIENCE_MILLIS);
    }
    return conf;
  }

  /** @return the configuration of the cluster. */
  public Configuration conf() {
    return on(new HdfsConfiguration());
  }

  /** @return where MapReduce tasks run, for the report. */
  public static String mapReduce(Configuration conf) {
    return isLocal(conf) ? "LocalJobRunner, in one process" : framework(conf);
  }

  /** @return whether MapReduce tasks run in this process. */
  public static boolean isLocal(Configuration conf) {
    return framework(conf).equals(MRConfig.LOCAL_FRAMEWORK_NAME);
  }

  private static String framework(Configuration conf) {
    return conf.get(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME);
  }

  /**
   * Opens the cluster's file system, and checks that it answers.
   *
   * @throws IOException if it does not
   */
  public static DistributedFileSystem open(Configuration conf) throws IOException {
    URI uri = FileSystem.getDefaultUri(conf);
    if (!"hdfs".equals(uri.getScheme())) {
      throw new IOException("no cluster: fs.defaultFS is " + uri
          + "; give -fs, set HADOOP_CONF_DIR, or use --embedded");
    }
    Configuration impatient = new Configuration(conf);
    impatient.setInt(CONNECT_RETRIES, 1);
    FileSystem fs = FileSystem.newInstance(impatient);
    try {
      fs.getFileStatus(new Path("/"));
      return (DistributedFileSystem) fs;
    } catch (AccessControlException e) {
      fs.close();
      throw e;
    } catch (IOException e) {
      fs.close();
      throw new IOException("no HDFS at " + uri + ": "
          + ExceptionUtils.getRootCause(e).getMessage(), e);
    }
  }
}
