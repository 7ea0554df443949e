/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.client.ReadClient;
import io.hdfslocalcache.harness.Daemon;
import io.hdfslocalcache.harness.JavaCommand;

/** The readers' process, seen from here. */
public final class Client implements AutoCloseable {

  private static final String HEAP = "-Xmx1g";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Daemon daemon;
  private final Writer commands;
  private final BufferedReader answers;

  /**
   * Starts the readers' process.
   *
   * @param base for its log and configuration
   * @param fileLength bytes of each of the benchmark's files, and of an HDFS block
   */
  public static Client start(Build build, Path base, long fileLength) throws IOException {
    return start(build, base, fileLength, List.of(HEAP), List.of());
  }

  /**
   * The same for readers that read replicas themselves: with the native library, and in the
   * DataNode's groups of processes.
   */
  public static Client startShortCircuit(Build build, Places places, long fileLength)
      throws IOException {
    return start(build, places.base(), fileLength, List.of(HEAP, build.libraryPath()),
        places.cgroups());
  }

  private static Client start(Build build, Path base, long fileLength, List<String> options,
      List<Path> cgroups) throws IOException {
    Files.createDirectories(base.resolve("tmp"));
    Path conf = base.resolve("conf-client");
    Build.configure(conf, Map.of());
    List<String> command = build.clientCommand(
        base, options, conf, ReadClient.class.getName());
    command.add(String.valueOf(fileLength));
    return new Client(Daemon.startForDialogue(
        "The client", JavaCommand.in(cgroups, command), base.resolve("client.log")));
  }

  private Client(Daemon daemon) {
    this.daemon = daemon;
    this.commands =
        new OutputStreamWriter(daemon.process().getOutputStream(), StandardCharsets.UTF_8);
    this.answers = new BufferedReader(
        new InputStreamReader(daemon.process().getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Runs loads at the same time, to their end.
   *
   * @param cluster where the files are
   * @return a result for each; none for files written or verified
   * @throws IOException if a read fails, or a byte is wrong
   */
  public List<Load.Result> run(Cluster cluster, Load... loads) throws IOException {
    commands.write(JSON.writeValueAsString(new ReadClient.Command(
        cluster.address(), cluster.clientConf(), List.of(loads))) + "\n");
    commands.flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw daemon.failure("has ended");
    }
    if (answer.startsWith("\"")) {
      throw daemon.failure("says " + answer);
    }
    return JSON.readValue(answer, new TypeReference<>() { });
  }

  /** @return CPU time that the readers have used up to now. */
  public CpuTimes cpu() throws IOException {
    return CpuTimes.of(daemon.process().pid());
  }

  @Override
  public void close() {
    daemon.close();
  }
}
