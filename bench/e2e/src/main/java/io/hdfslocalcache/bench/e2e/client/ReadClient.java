/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.bench.e2e.client.Files.Content;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;

/**
 * The process that reads, with the released client of HDFS. Takes a {@link Command} as a line of
 * JSON, and answers with a line: the list of {@link Load.Result}s, or a string that says what went
 * wrong. One process reads from all clusters, so that its own JIT compiler favours none.
 */
public final class ReadClient {

  /**
   * What it is told to do.
   *
   * @param address the NameNode of the files
   * @param conf keys to read them with; those of the first command for the address are taken
   * @param loads what to run at the same time
   */
  public record Command(String address, Map<String, String> conf, List<Load> loads) {
  }

  /** Key of a client that reads the files of the replicas on its machine itself. */
  public static final String SHORT_CIRCUIT = "dfs.client.read.shortcircuit";

  private static final int VERIFIED_PREADS = 200;
  private static final int SOCKETS = 256;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Configuration conf;
  private final long fileLength;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  /** By the address of the NameNode. */
  private final Map<String, Files> clusters = new HashMap<>();

  private ReadClient(Configuration conf, long fileLength) {
    this.conf = conf;
    this.fileLength = fileLength;
  }

  /** Argument: bytes of a file. */
  public static void main(String[] args) throws IOException {
    ShortCircuitDataNode.prepareLibrary();
    // What libraries print must not come between the answers.
    PrintStream answers = System.out;
    System.setOut(System.err);
    Configuration conf = new Configuration();
    // One process stands for many; each of them would keep its connection.
    conf.setInt("dfs.client.socketcache.capacity", SOCKETS);
    // A damaged checksum is what a benchmark wants to see, and not to hide by trying again.
    conf.setInt("dfs.client.max.block.acquire.failures", 1);
    ReadClient client = new ReadClient(conf, Long.parseLong(args[0]));
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      answers.println(client.answer(line));
      answers.flush();
    }
    // Threads that read may wait for more to do.
    System.exit(0);
  }

  private String answer(String command) throws IOException {
    try {
      Command parsed = JSON.readValue(command, Command.class);
      return JSON.writeValueAsString(run(files(parsed), parsed.loads()));
    } catch (Exception e) {
      e.printStackTrace();
      return JSON.writeValueAsString(e.toString().lines().findFirst().orElse(""));
    }
  }

  private Files files(Command command) throws IOException {
    Files files = clusters.get(command.address());
    if (files == null) {
      Configuration own = new Configuration(conf);
      command.conf().forEach(own::set);
      files = new Files(
          FileSystem.newInstance(URI.create(command.address()), own), fileLength);
      clusters.put(command.address(), files);
    }
    return files;
  }

  private List<Load.Result> run(Files files, List<Load> loads) throws Exception {
    Load first = loads.get(0);
    switch (first.kind()) {
      case WRITE:
        for (int i = 0; i < first.files(); i++) {
          files.write(first.firstFile() + i);
        }
        return List.of();
      case VERIFY:
        verify(files, first);
        return List.of();
      default:
        return new LoadRun(files, threads).run(loads);
    }
  }

  private static void verify(Files files, Load load) throws IOException {
    byte[] buffer = new byte[1 << 20];
    for (int i = 0; i < load.files(); i++) {
      files.read(load.firstFile() + i, buffer, true);
    }
    SplittableRandom random = new SplittableRandom(load.seed());
    for (int i = 0; i < VERIFIED_PREADS; i++) {
      int file = load.firstFile() + random.nextInt(load.files());
      int size = random.nextInt(1, 16) << 12;
      long at = random.nextLong((files.length() - size) / Long.BYTES) * Long.BYTES;
      try (FSDataInputStream in = files.open(file)) {
        in.readFully(at, buffer, 0, size);
      }
      Content.check(file, at, buffer, size);
    }
  }
}
