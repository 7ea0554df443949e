/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public class TestUnreachableDataNode {
  private static final DataNodeClient.Timeouts SHORT =
      new DataNodeClient.Timeouts(Duration.ofMillis(500), Duration.ofMillis(500));

  /** Hadoop's own retries and waits take longer, or never end. */
  @Rule
  public final Timeout timeout = Timeout.seconds(300);

  private final Configuration conf = new Configuration();

  @Test
  public void get_closedPort_failsAtTheFirstAttempt() throws Exception {
    // Nobody listens there, and nobody else gets the port.
    try (Socket bound = new Socket()) {
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      String dataNode = local(bound.getLocalPort());
      LogCapturer log = LogCapturer.captureLogs(Client.LOG);
      try {
        CommandResult.of(conf, DataNodeClient.Timeouts.DEFAULT, "-getLocalCache", dataNode)
            .assertFailed(dataNode + ": cannot be reached: Connection refused");
      } finally {
        log.stopCapturing();
      }
      assertFalse(log.getOutput(), log.getOutput().contains("Retrying connect"));
    }
  }

  @Test
  public void set_connectionTimesOut_fails() throws Exception {
    List<Socket> fillers = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      fillBacklog(full, fillers);
      String dataNode = local(full.getLocalPort());
      CommandResult.of(conf, SHORT, "-setLocalCache", "off", dataNode)
          .assertFailed(dataNode + ": cannot be reached: connection timed out");
    } finally {
      for (Socket filler : fillers) {
        filler.close();
      }
    }
  }

  @Test
  public void set_noAnswer_failsAndSaysThatItMayStillBeDone() throws Exception {
    // No program accepts, but the kernel connects.
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      String dataNode = local(silent.getLocalPort());
      CommandResult.of(conf, SHORT, "-setLocalCache", "off", dataNode)
          .assertFailed(dataNode + ": does not answer: a command that changes something may still"
              + " take effect");
    }
  }

  /** The DataNode gives up its SSD, and says what that means. */
  @Test
  public void dataNodeWaitsForAnSsd_itsAnswerIsAwaited() throws Exception {
    String refusal = "cannot be saved: the SSD does not answer";
    try (StandIn waiting = StandIn.answering(conf, -1, refusal, 2 * SHORT.answerMillis())) {
      String dataNode = waiting.address();
      for (String command : List.of("on --persist", "off --persist", "set capacity 1g --persist",
          "set capacity --reset", "unpin /file", "ssd remove /ssd", "ssd replace /ssd")) {
        String[] args = (command + " " + dataNode).split(" ");
        CommandResult.ofVerb(conf, SHORT, args).assertFailed(dataNode + ": " + refusal);
      }
    }
  }

  @Test
  public void summary_noAnswerInTime_endsWithoutIt() throws Exception {
    try (StandIn hanging = StandIn.hanging(conf)) {
      CommandResult result = CommandResult.ofVerb(conf, new DataNodeClient.Timeouts(
          Duration.ofHours(1), Duration.ofHours(1)), "status", "--summary", "--timeout", "1s",
          hanging.address());
      assertEquals(1, result.exitCode());
      assertEquals("1 DataNode: 1 without an answer",
          result.out().get(0));
      assertEquals(List.of("no answer within --timeout: " + hanging.address()),
          result.err());
    }
  }

  @Test
  public void summary_noNameNodeInTime_fails() throws Exception {
    // No program accepts, but the kernel connects.
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      conf.set("fs.defaultFS", "hdfs://" + local(silent.getLocalPort()));
      CommandResult.ofVerb(conf, "status", "--summary", "--timeout", "1s")
          .assertFailed("NameNode: no answer within --timeout");
    }
  }

  @Test
  public void waitFor_noNameNodeInTime_fails() throws Exception {
    // No program accepts, but the kernel connects.
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      conf.set("fs.defaultFS", "hdfs://" + local(silent.getLocalPort()));
      for (String dataNodes : List.of("", " livenodes")) {
        CommandResult.ofVerb(
            conf, ("status --wait-for ready --timeout 1s" + dataNodes).split(" "))
            .assertFailed("NameNode: no answer within --timeout");
      }
    }
  }

  @Test
  public void waitFor_nameNodeStarts_isAskedAgain_refusalEndsIt() throws Exception {
    Deque<IOException> answers = new ArrayDeque<>(List.of(
        new RetriableException("NameNode still not started"), new StandbyException("standby"),
        new SafeModeException("Name node is in safe mode"), new AccessControlException("no")));
    ClientProtocol starting = (ClientProtocol) Proxy.newProxyInstance(
        getClass().getClassLoader(), new Class<?>[] {ClientProtocol.class},
        (proxy, method, args) -> {
          throw answers.remove();
        });
    RPC.setProtocolEngine(conf, ClientNamenodeProtocolPB.class, ProtobufRpcEngine2.class);
    RPC.Server server = new RPC.Builder(conf).setProtocol(ClientNamenodeProtocolPB.class)
        .setInstance(ClientNamenodeProtocol.newReflectiveBlockingService(
            new ClientNamenodeProtocolServerSideTranslatorPB(starting)))
        .setBindAddress("127.0.0.1").setPort(0).setNumHandlers(1).build();
    server.start();
    try {
      conf.set("fs.defaultFS", "hdfs://" + local(server.getPort()));
      CommandResult.ofVerb(conf, "status", "--wait-for", "ready", "--timeout", "5m").assertFailed(
          "livenodes: the NameNode does not list them: " + Failure.DENIED);
      assertEquals(0, answers.size());
    } finally {
      server.stop();
    }
  }

  @Test
  public void fileSystemOfAnUnknownHost_isNamed() throws Exception {
    // Nobody can register a name with this ending.
    String there = "hdfs://nosuch.invalid:8020";
    for (String command : List.of("explain /x", "warm /x", "pin /x", "clear --path /x")) {
      String named = command.replace("/x", there + "/x");
      CommandResult.ofVerb(conf, named.split(" "))
          .assertFailed(there + "/x: unknown host nosuch.invalid");
    }
    conf.set("fs.defaultFS", there);
    String unlisted = "livenodes: the NameNode does not list them: unknown host nosuch.invalid";
    for (String command : List.of("status", "status --summary", "status --wait-for ready", "on",
        "off", "top", "rules", "set capacity 1g", "clear livenodes", "unpin /x", "diagnose")) {
      CommandResult.ofVerb(conf, command.split(" ")).assertFailed(unlisted);
    }
    CommandResult.of(conf, "-getLocalCache").assertFailed(unlisted);
    CommandResult.ofVerb(conf, "explain", "blk_1")
        .assertFailed("blk_1: unknown host nosuch.invalid");
  }

  @Test
  public void fileSystemWithoutAValidAddress_isRefused() throws Exception {
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:99999");
    CommandResult.ofVerb(conf, "status").assertFailed(
        "livenodes: the NameNode does not list them: port out of range:99999");
    conf.set("fs.defaultFS", "hdfs://");
    CommandResult.ofVerb(conf, "status").assertFailed("livenodes: the NameNode does not list them: "
        + "Expected authority at index 7: hdfs://");
  }

  @Test
  public void set_liveNodesOfNoHdfs_fails() throws Exception {
    conf.set("fs.defaultFS", "file:///");
    CommandResult.of(conf, "-setLocalCache", "off").assertFailed(
        "livenodes: the NameNode does not list them: file:/// is not HDFS");
  }

  private static void fillBacklog(ServerSocket server, List<Socket> fillers) throws IOException {
    try {
      while (fillers.size() < 100) {
        Socket filler = new Socket();
        fillers.add(filler);
        filler.connect(server.getLocalSocketAddress(), 1000);
      }
    } catch (SocketTimeoutException e) {
      return;
    }
    throw new AssertionError("the backlog takes everything: " + fillers.size());
  }

  private static String local(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port).getAddress()
        .getHostAddress() + ":" + port;
  }
}
