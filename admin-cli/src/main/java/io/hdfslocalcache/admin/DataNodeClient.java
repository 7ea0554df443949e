/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolClientSideTranslatorPB;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Sends a command to the local cache of one DataNode, over Hadoop's GenericRefreshProtocol on the
 * DataNode's IPC port. Thread-safe.
 */
final class DataNodeClient {

  /**
   * How long to wait for one DataNode. Hadoop's defaults (45 attempts of 20 s) suit a job that must
   * continue, not an operator who switches off the local caches of a cluster with a dead DataNode.
   *
   * @param connect for a connection
   * @param answer for an answer, once connected
   */
  record Timeouts(Duration connect, Duration answer) {
    static final Timeouts DEFAULT = new Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(10));
    /** A DataNode waits 10 s for a hung SSD, and to replace it opens, saves and closes. */
    private static final Duration FOR_SSDS = Duration.ofSeconds(50);

    /** @return the same for commands that wait for SSDs. */
    Timeouts forSsds() {
      return new Timeouts(connect, answer.plus(FOR_SSDS));
    }

    int connectMillis() {
      return Math.toIntExact(connect.toMillis());
    }

    int answerMillis() {
      return Math.toIntExact(answer.toMillis());
    }
  }

  /** The identifier of the plugin's {@code LocalCacheAdminService}. */
  static final String IDENTIFIER = "localCache";

  /** The plugin allows 1000. */
  private static final int BLOCKS_AT_ONCE = 500;
  private static final String SERVER_PRINCIPAL =
      CommonConfigurationKeys.HADOOP_SECURITY_SERVICE_USER_NAME_KEY;
  /** How a plugin before 1.1 refuses unknown commands, including JSON. */
  private static final String UNKNOWN_COMMAND = "expected get, set on.*, got: .*";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PATTERN = ".pattern";

  /** Who sends the commands. */
  @FunctionalInterface
  private interface User {
    UserGroupInformation get() throws IOException;
  }

  private final Configuration conf;
  private final User user;
  private final Timeouts timeouts;

  /**
   * Sends commands as the current user. Takes a copy of the configuration: its timeouts and principal
   * are for DataNodes only.
   */
  DataNodeClient(Configuration conf, Timeouts timeouts) {
    this(conf, currentUser(), timeouts);
  }

  private DataNodeClient(Configuration conf, User user, Timeouts timeouts) {
    this.conf = new Configuration(conf);
    this.user = user;
    this.timeouts = timeouts;
    expectPrincipalOfDataNode(this.conf);
    failFast(this.conf, timeouts);
    RPC.setProtocolEngine(this.conf, GenericRefreshProtocolPB.class, ProtobufRpcEngine2.class);
  }

  /** The user of this thread; those that ask DataNodes have none. */
  private static User currentUser() {
    try {
      UserGroupInformation user = UserGroupInformation.getCurrentUser();
      return () -> user;
    } catch (IOException | RuntimeException e) {
      // Verbs that ask no DataNode need no user, and no configuration of Kerberos.
      return () -> {
        throw new IOException("cannot determine the user: " + e.getMessage(), e);
      };
    }
  }

  /** The protocol does not define the server's principal; by default a NameNode's is expected. */
  private static void expectPrincipalOfDataNode(Configuration conf) {
    String key = HdfsClientConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY;
    conf.set(SERVER_PRINCIPAL, conf.get(key, ""));
    conf.set(SERVER_PRINCIPAL + PATTERN, conf.get(key + PATTERN, ""));
  }

  private static void failFast(Configuration conf, Timeouts timeouts) {
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_CONNECT_TIMEOUT_KEY, timeouts.connectMillis());
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SASL_KEY, 1);
  }

  /** @return one that waits as long as a DataNode waits for SSDs, and so gets its refusal. */
  DataNodeClient forSsds() {
    return new DataNodeClient(conf, user, timeouts.forSsds());
  }

  /**
   * Sends one command and waits for the answer.
   *
   * @param dataNode {@code host:ipc_port}
   * @param command {@code get}, {@code set on} or {@code set off}, as single words
   * @return the answer on one line; its first word is {@code on} or {@code off}
   * @throws IOException when the DataNode cannot be reached, does not know the command or refuses
   *     it; {@link Failure} describes it
   */
  String ask(String dataNode, String... command) throws IOException {
    return Text.oneLine(send(dataNode, command));
  }

  /**
   * Sends one command whose answer is JSON.
   *
   * @param dataNode {@code host:ipc_port}
   * @param command a command of the plugin's {@code Commands}: its name as {@code command}, and its
   *     arguments
   * @throws IOException as {@link #ask}; also when the DataNode's plugin is older than the command
   */
  JsonNode askJson(String dataNode, Map<String, ?> command) throws IOException {
    String answer;
    try {
      answer = send(dataNode, JSON.writeValueAsString(command));
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).matches(UNKNOWN_COMMAND)) {
        throw new IOException(
            "its local cache is older than this command and does not know "
                + command.get("command"), e);
      }
      throw e;
    }
    try {
      return JSON.readTree(answer);
    } catch (JsonProcessingException e) {
      throw new IOException("its answer is not JSON: " + answer.lines().findFirst().orElse(""), e);
    }
  }

  /**
   * Sends one command about many blocks, in batches that the DataNode accepts.
   *
   * @param word such as {@code block}
   * @param names the blocks, with their pools
   * @return the answers, one for each batch of blocks
   * @throws IOException as {@link #askJson}
   */
  List<JsonNode> askBlocks(String dataNode, String word, List<String> names) throws IOException {
    List<JsonNode> answers = new ArrayList<>();
    for (int from = 0; from < names.size(); from += BLOCKS_AT_ONCE) {
      answers.add(askJson(dataNode, Map.of("command", word, "blocks",
          names.subList(from, Math.min(names.size(), from + BLOCKS_AT_ONCE)))));
    }
    return answers;
  }

  private String send(String dataNode, String... command) throws IOException {
    InetSocketAddress address = NetUtils.createSocketAddr(dataNode);
    GenericRefreshProtocolPB proxy = RPC.getProxy(GenericRefreshProtocolPB.class,
        RPC.getProtocolVersion(GenericRefreshProtocolPB.class), address, user.get(), conf,
        NetUtils.getDefaultSocketFactory(conf), timeouts.answerMillis());
    try (GenericRefreshProtocolClientSideTranslatorPB client =
        new GenericRefreshProtocolClientSideTranslatorPB(proxy)) {
      return onlyAnswer(client.refresh(IDENTIFIER, command));
    }
  }

  private static String onlyAnswer(Collection<RefreshResponse> responses) throws IOException {
    if (responses.size() != 1) {
      throw new IOException("expected one answer, got: " + responses);
    }
    RefreshResponse response = responses.iterator().next();
    String message = String.valueOf(response.getMessage());
    if (response.getReturnCode() != 0) {
      throw new IOException(Text.oneLine(message));
    }
    return message;
  }
}
