/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLEncoder;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.hdfslocalcache.plugin.hdfs.DatasetReplicaAccess;
import io.hdfslocalcache.plugin.hdfs.FilesBelow;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.UserGroupInformation;
import picocli.CommandLine.TypeConversionException;

/** Asks the NameNode for the blocks of a file, or of all files of a directory. */
final class FileBlocks {
  /** What to say of a path with wildcards that are not meant as letters. */
  static final String NO_WILDCARDS = "expected a path without wildcards";

  private static final int TIMEOUT_MILLIS = 60_000;
  /** Begins what the NameNode says of a block, or is all of it. */
  private static final Pattern BLOCK =
      Pattern.compile("Block (Id: )?(?<id>blk_-?[0-9]+)( does not exist)?");
  private static final String PATH = "Block belongs to: ";

  private final Configuration conf;
  private final PrintStream err;
  private final boolean useHostname;

  FileBlocks(Configuration conf) {
    this(conf, null);
  }

  /** @param err for the progress of a long listing; null: none */
  FileBlocks(Configuration conf, PrintStream err) {
    this.conf = conf;
    this.err = err;
    this.useHostname = conf.getBoolean(HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
        HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
  }

  /** @return whether a shell would take the path for a pattern; a file may have such a name. */
  static boolean hasWildcards(String path) {
    return path.matches(".*[*?\\[\\]{}\\\\].*");
  }

  /**
   * @return whether it is a path, not a block id
   * @throws TypeConversionException for a path of which Hadoop would take the first name for a host
   */
  static boolean isPath(String target) {
    if (target.startsWith("//")) {
      throw new TypeConversionException(
          "expected an absolute path that begins with one /, got: " + target);
    }
    return target.startsWith("/") || target.matches("[A-Za-z][A-Za-z0-9+.-]*://.+");
  }

  /**
   * Finds the blocks that the user names.
   *
   * @param target a path or a block id
   * @param max limit on their number
   * @throws IOException with a line for the user when there are none, there are more, or the
   *     NameNode cannot be asked
   */
  List<FileBlock> named(String target, int max) throws IOException {
    String id = isPath(target) ? null : FileBlock.parse(target);
    try {
      return id == null ? of(target, max) : List.of(ofId(id));
    } catch (IOException e) {
      throw new IOException(target + ": " + (e instanceof FileNotFoundException
          && hasWildcards(target) ? NO_WILDCARDS : Failure.describe(e)), e);
    }
  }

  /**
   * Lists blocks in the order of the files.
   *
   * @param max limit on their number
   * @throws IOException when there is no such path, it has more blocks, or the NameNode cannot be
   *     reached
   */
  private List<FileBlock> of(String path, int max) throws IOException {
    List<FileBlock> blocks = new ArrayList<>();
    Progress progress = err == null ? null : new Progress(err, -1, "block");
    try (DistributedFileSystem hdfs = DataNodes.connect(DataNodes.at(conf, path))) {
      RemoteIterator<LocatedFileStatus> files = new FilesBelow(hdfs, new Path(path));
      while (files.hasNext()) {
        if (files.next() instanceof HdfsLocatedFileStatus file) {
          int before = blocks.size();
          add(file, blocks);
          if (progress != null) {
            progress.add(blocks.size() - before);
          }
        }
        if (blocks.size() > max) {
          throw new IOException(
              "has more than " + Text.count(max, "block") + "; --max-blocks N raises the limit");
        }
      }
    } catch (FileNotFoundException e) {
      throw new FileNotFoundException("no such file or directory");
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
    return blocks;
  }

  /**
   * Finds one block by its id.
   *
   * @param id such as {@code blk_3}
   * @throws IOException when the NameNode does not know it, or cannot be reached
   */
  private FileBlock ofId(String id) throws IOException {
    String path = paths(List.of(id)).get(id);
    if (path == null) {
      throw new IOException("the NameNode does not know this block");
    }
    try {
      for (FileBlock block : of(path, Integer.MAX_VALUE)) {
        if (block.shortName().equals(id)) {
          return block;
        }
      }
    } catch (FileNotFoundException e) {
      throw new IOException("its file " + path
          + " was deleted; if a snapshot has it, name its path there", e);
    }
    throw new IOException("is no longer a block of " + path);
  }

  /**
   * @return the block pool of the NameNode, which has a block of this file
   * @throws FileNotFoundException if there is no such file now, or it has no blocks
   */
  String poolOf(String path) throws IOException {
    try (DistributedFileSystem hdfs = DataNodes.connect(conf)) {
      LocatedBlocks located = hdfs.getClient().getLocatedBlocks(path, 0, 1);
      if (located.getLocatedBlocks().isEmpty()) {
        throw new FileNotFoundException(path + ": has no blocks");
      }
      return located.get(0).getBlock().getBlockPoolId();
    }
  }

  private void add(HdfsLocatedFileStatus file, List<FileBlock> blocks) {
    String path = file.getPath().toUri().getPath();
    LocatedBlocks located = file.getLocatedBlocks();
    for (LocatedBlock block : located.getLocatedBlocks()) {
      if (block instanceof LocatedStripedBlock group) {
        addInternal(path, group, located.getErasureCodingPolicy(), blocks);
      } else {
        blocks.add(fileBlock(path, block.getBlock(), false, block));
      }
    }
  }

  private void addInternal(String path, LocatedStripedBlock group, ErasureCodingPolicy policy,
      List<FileBlock> blocks) {
    LocatedBlock[] internal = StripedBlockUtil.parseStripedBlockGroup(group, policy.getCellSize(),
        policy.getNumDataUnits(), policy.getNumParityUnits());
    for (int i = 0; i < internal.length; i++) {
      ExtendedBlock block = StripedBlockUtil.constructInternalBlock(group.getBlock(), policy, i);
      // A short group lacks blocks; others are on no live DataNode.
      if (internal[i] != null || block.getNumBytes() > 0) {
        blocks.add(fileBlock(path, block, i >= policy.getNumDataUnits(), internal[i]));
      }
    }
  }

  /** @param located where it is; null: nowhere */
  private FileBlock fileBlock(
      String path, ExtendedBlock block, boolean isParity, LocatedBlock located) {
    List<String> dataNodes = located == null ? List.of() : Arrays.stream(
        located.getLocations()).map(node -> node.getIpcAddr(useHostname)).toList();
    return new FileBlock(path, FileBlock.nameOf(block.getBlockPoolId(), block.getBlockId()),
        block.getNumBytes(), isParity, dataNodes, IntStream.range(0, dataNodes.size())
            .filter(i -> DatasetReplicaAccess.isRelieved(located.getStorageTypes()[i]))
            .mapToObj(dataNodes::get)
            .collect(Collectors.toSet()));
  }

  /** @return the blocks of each DataNode, by {@code host:ipc_port}. */
  static Map<String, List<FileBlock>> byDataNode(List<FileBlock> blocks) {
    Map<String, List<FileBlock>> byDataNode = new TreeMap<>();
    for (FileBlock block : blocks) {
      for (String dataNode : block.dataNodes()) {
        byDataNode.computeIfAbsent(dataNode, name -> new ArrayList<>()).add(block);
      }
    }
    return byDataNode;
  }

  /**
   * Finds the files of blocks, like {@code hdfs fsck -blockId}: no other interface of the NameNode
   * has them.
   *
   * @param ids such as {@code blk_3}
   * @return the paths of known blocks, by id
   * @throws IOException when the NameNode cannot be asked
   */
  Map<String, String> paths(Collection<String> ids) throws IOException {
    if (ids.isEmpty()) {
      return Map.of();
    }
    try {
      return parsePaths(fsck("&path=/&blockId=" + URLEncoder.encode(String.join(" ", ids), UTF_8)));
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
    } catch (IOException e) {
      throw new IOException("its web server " + server + " (dfs.namenode.http-address or "
          + "https-address): " + Failure.ofQuestion(Failure.describe(e)), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } finally {
      connections.destroy();
    }
  }

  /**
   * Parses the output of fsck. Each block has one place there. If it seems to have two, one is in
   * the name of a file, and its path is not known.
   */
  static Map<String, String> parsePaths(String printed) {
    Map<String, String> paths = new HashMap<>();
    Set<String> seen = new HashSet<>();
    String block = null;
    for (String line : printed.lines().toList()) {
      Matcher begin = BLOCK.matcher(line);
      if (line.startsWith(PATH) && block != null) {
        paths.put(block, line.substring(PATH.length()));
        block = null;
      } else if (begin.matches()) {
        block = begin.group("id");
        if (!seen.add(block)) {
          paths.remove(block);
          block = null;
        }
      }
    }
    return paths;
  }

  /**
   * A block of a file, as the NameNode knows it. A block of an erasure-coded file is one of the
   * internal blocks on DataNodes.
   *
   * @param path the file
   * @param name block pool and block id, such as {@code BP-1-10.0.0.1-2:blk_3}
   * @param length bytes
   * @param isParity whether clients read it only to reconstruct other blocks
   * @param dataNodes {@code host:ipc_port} of each DataNode with a replica
   * @param onDisk those of which the replica is on a disk: others are not cached
   */
  record FileBlock(String path, String name, long length, boolean isParity,
      List<String> dataNodes, Set<String> onDisk) {
    private static final String PREFIX = "blk_";

    /** @return whether this DataNode caches its replica. */
    boolean isOnDisk(String dataNode) {
      return onDisk.contains(dataNode);
    }

    /** @return the name without the block pool: {@code blk_3}. */
    String shortName() {
      return withoutPool(name);
    }

    /** @return the name of a block. */
    static String nameOf(String blockPoolId, long blockId) {
      return blockPoolId + ':' + PREFIX + blockId;
    }

    /** @return {@code blk_3} of {@code BP-1-10.0.0.1-2:blk_3}. */
    static String withoutPool(String name) {
      return name.substring(name.lastIndexOf(':') + 1);
    }

    /**
     * Parses a block id from fsck or a log: {@code 3}, {@code blk_3} or, with
     * a generation stamp, {@code blk_3_1001}.
     *
     * @return {@code blk_3}
     * @throws TypeConversionException when it is not a block id
     */
    static String parse(String text) {
      String id = text.replaceFirst("^blk_", "").replaceFirst("_[0-9]+$", "");
      try {
        return PREFIX + Long.parseLong(id);
      } catch (NumberFormatException e) {
        throw new TypeConversionException(
            "expected an absolute path, or a block id such as blk_1073741825, got: " + text);
      }
    }
  }
}
