/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLEncoder;
import java.security.PrivilegedExceptionAction;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Asks the NameNode for the files that blocks belong to, as {@code hdfs fsck -blockId} does: no
 * other interface of the NameNode tells.
 */
final class BlockPaths {
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final String BLOCK = "Block Id: ";
  private static final String PATH = "Block belongs to: ";

  private final Configuration conf;

  BlockPaths(Configuration conf) {
    this.conf = conf;
  }

  /**
   * Finds files.
   *
   * @param ids such as {@code blk_3}
   * @return the paths of those that the NameNode knows, by id
   * @throws IOException when the NameNode cannot be asked
   */
  Map<String, String> of(Collection<String> ids) throws IOException {
    if (ids.isEmpty()) {
      return Map.of();
    }
    try {
      return parse(fsck("&path=/&blockId=" + URLEncoder.encode(String.join(" ", ids), UTF_8)));
    } catch (NoClassDefFoundError e) {
      throw new IOException("the hadoop-hdfs jar is not on the class path", e);
    }
  }

  private String fsck(String query) throws IOException {
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    URI server;
    try (DistributedFileSystem hdfs = DataNodes.connect(conf)) {
      server = DFSUtil.getInfoServer(
          HAUtil.getAddressOfActive(hdfs), conf, DFSUtil.getHttpClientScheme(conf));
    }
    URL url = new URL(server + "/fsck?ugi=" + user.getShortUserName() + query);
    URLConnectionFactory connections =
        URLConnectionFactory.newDefaultURLConnectionFactory(TIMEOUT_MILLIS, TIMEOUT_MILLIS, conf);
    try {
      return user.doAs((PrivilegedExceptionAction<String>) () -> {
        URLConnection connection =
            connections.openConnection(url, UserGroupInformation.isSecurityEnabled());
        try (InputStream answer = connection.getInputStream()) {
          return new String(answer.readAllBytes(), UTF_8);
        }
      });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } finally {
      connections.destroy();
    }
  }

  /** Reads what fsck prints. */
  static Map<String, String> parse(String printed) {
    Map<String, String> paths = new HashMap<>();
    String block = null;
    for (String line : printed.lines().toList()) {
      if (line.startsWith(BLOCK)) {
        block = line.substring(BLOCK.length()).strip();
      } else if (line.startsWith(PATH) && block != null) {
        paths.put(block, line.substring(PATH.length()));
      }
    }
    return paths;
  }
}
