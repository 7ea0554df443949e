/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfslocalcache.plugin.config.Sizes;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Keeps the pages of a path cached. */
@Command(name = "pin",
    description = "Keeps the pages of a path cached, up to a quota on each DataNode.")
final class Pin extends AskEach {

  @Option(names = "--quota", paramLabel = "BYTES", defaultValue = "default", description =
      "Bytes for the pages on each DataNode, such as 200g (default: a tenth of its capacity).")
  private String quota;

  @Option(names = "--timeout", paramLabel = "TIME", defaultValue = "60s", description =
      "Waits this long for each DataNode to look up the blocks (default: ${DEFAULT-VALUE}).")
  private Duration timeout;

  @Parameters(index = "0", paramLabel = "PATH",
      description = "An absolute path without wildcards, with all that is below it.")
  private String given;

  Pin(Session session) {
    super(session);
  }

  @Override
  int run() throws IOException {
    if (!quota.matches("default|[0-9]+[kmgtKMGT]?")) {
      throw wrong("--quota must be a number of bytes such as 200g, got: " + quota);
    }
    String path = path(this, given);
    checkThere(path);
    List<String> dataNodes = dataNodes();
    Progress progress = new Progress(session.err(), dataNodes.size(), "DataNode");
    return ask(dataNodes, dn -> pinAndWait(dn, path, progress),
        (dn, pin) -> List.of(dn + ": " + text(pin)),
        (document, answer) -> document.set("pin", answer.value()));
  }

  /** A path that is misspelt would be pinned in vain. */
  private void checkThere(String path) throws IOException {
    try (DistributedFileSystem hdfs = DataNodes.connect(session.conf())) {
      if (!hdfs.exists(new Path(path))) {
        throw new FileNotFoundException("no such file or directory");
      }
    } catch (IOException e) {
      throw new IOException(path + ": " + Failure.describe(e), e);
    }
  }

  /** @return a path without the name of a file system. */
  static String path(Verb verb, String path) {
    verb.checkPath(path);
    if (path.matches(".*[*?\\[\\]{}\\\\].*")) {
      throw verb.wrong("expected a path without wildcards, got: " + path);
    }
    return new Path(path).toUri().getPath();
  }

  /** Pins, and waits until the DataNode knows which blocks that means. */
  private JsonNode pinAndWait(String dataNode, String path, Progress progress)
      throws IOException {
    session.client().askJson(dataNode, Map.of("command", "pin", "path", path, "quota", quota));
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      JsonNode pin = find(session.client().askJson(dataNode, Map.of("command", "pins")), path);
      if (pin == null) {
        throw new IOException("was unpinned meanwhile by somebody else");
      }
      if (pin.path("lookedUp").asBoolean()) {
        progress.add(1);
        return pin;
      }
      if (System.nanoTime() > deadline) {
        throw new IOException("is pinned, but the DataNode does not know the blocks of the path "
            + "yet; its log tells whether it can ask the NameNode");
      }
      progress.add(0);
      Session.pause();
    }
  }

  private static JsonNode find(JsonNode pins, String path) {
    for (JsonNode pin : pins) {
      if (pin.path("path").asText().equals(path)) {
        return pin;
      }
    }
    return null;
  }

  /** @return what is pinned on one DataNode, on one line. */
  static String text(JsonNode pin) {
    long quota = pin.path("quota").asLong();
    long bytes = pin.path("replicaBytes").asLong();
    return pin.path("path").asText() + " is pinned, quota " + Sizes.text(quota) + "; "
        + Text.count(pin.path("pages").asLong(), "page") + " of "
        + Sizes.text(pin.path("bytes").asLong()) + " cached, of "
        + Text.count(pin.path("replicas").asLong(), "replica") + " of " + Sizes.text(bytes)
        + (bytes > quota ? "; that is more than the quota: pages leave as others are filled" : "");
  }

  /** Ends a pin. */
  @Command(name = "unpin", description = "Ends the pin of a path. The path need not exist any more.")
  static final class Unpin extends AskEach {
    @Parameters(index = "0", paramLabel = "PATH", description = "An absolute path.")
    private String path;

    Unpin(Session session) {
      super(session);
    }

    @Override
    int run() throws IOException {
      return ask(Map.of("command", "unpin", "path", Pin.path(this, path)), "unpinned",
          (dataNode, pin) -> List.of(dataNode + ": " + text(pin)));
    }

    /** @return what was pinned, on one line. */
    static String text(JsonNode pin) {
      return pin.path("path").asText() + " is no longer pinned; its "
          + Text.count(pin.path("pages").asLong(), "page") + " of "
          + Sizes.text(pin.path("bytes").asLong()) + " may leave when others need the room";
    }
  }
}
