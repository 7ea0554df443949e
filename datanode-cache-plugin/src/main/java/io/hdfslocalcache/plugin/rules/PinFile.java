/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfslocalcache.plugin.health.Attempt;
import io.hdfslocalcache.plugin.ssd.file.PrivateFiles;

/**
 * The file that keeps pins over a restart: a file of rules, as {@link RuleParser} reads it. It is on
 * a disk that may hang: then there is an error after a while.
 */
final class PinFile {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Path path;
  private final boolean onSsd;
  private final long patienceNanos;

  /**
   * @param onSsd whether nothing above the directory may be made
   * @param patienceNanos how long to wait for the disk
   */
  PinFile(Path directory, boolean onSsd, long patienceNanos) {
    this.onSsd = onSsd;
    this.path = directory.resolve("pins.json");
    this.patienceNanos = patienceNanos;
  }

  Path path() {
    return path;
  }

  /**
   * Reads the pins.
   *
   * @return none if there is no file
   * @throws IOException if it cannot be read, or is no file of pins, or its SSD is not there
   */
  List<Rule> read() throws IOException {
    byte[] json = attempt(() -> {
      if (onSsd && !Files.isDirectory(path.getParent())) {
        throw new IOException("their SSD is not there: no " + path.getParent());
      }
      return Files.exists(path, LinkOption.NOFOLLOW_LINKS) ? Files.readAllBytes(path) : null;
    });
    List<Rule> pins = new ArrayList<>();
    if (json != null) {
      RuleSet set = RuleParser.parse(path.toString(), json);
      for (int i = 0; i < set.size(); i++) {
        Rule rule = set.get(i);
        if (rule.action() != RuleAction.PIN || !rule.isForPathsOnly() || rule.parent() != null
            || rule.paths().size() != 1) {
          throw new BadRulesException(
              path.toString(), "has a rule that no pin command made: " + rule.name(), null);
        }
        pins.add(rule);
      }
    }
    return pins;
  }

  /** Writes the pins: all of them are in the file afterwards, or those of before. */
  void write(List<Rule> pins) throws IOException {
    ObjectNode document = JSON.createObjectNode();
    document.put("comment", "written by hdfs localcache pin and unpin");
    ArrayNode rules = document.putArray("rules");
    pins.forEach(pin -> rules.addObject().put("name", pin.name()).put("path", pin.paths().get(0))
        .put("action", "pin").put("quota", pin.quota()));
    byte[] json = JSON.writeValueAsBytes(document);
    attempt(() -> {
      replace(json);
      return null;
    });
  }

  private void replace(byte[] content) throws IOException {
    if (onSsd) {
      PrivateFiles.createDirectory(path.getParent());
    } else {
      PrivateFiles.createDirectories(path.getParent());
    }
    PrivateFiles.replace(path, true, out -> out.write(content));
  }

  private <T> T attempt(io.hdfslocalcache.plugin.health.SsdIo.Io<T> io) throws IOException {
    return new Attempt<>("local-cache-pins", patienceNanos, io).get();
  }
}
