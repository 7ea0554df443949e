/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfslocalcache.plugin.ssd.KeptState.Copy;
import io.hdfslocalcache.plugin.ssd.KeptState.Part;
import io.hdfslocalcache.plugin.ssd.KeptState.Section;
import io.hdfslocalcache.plugin.ssd.file.Existing;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The four files with the state of versions 1.0.0 and 1.0.1, now in {@link KeptState}. */
final class StateOfVersion1 {

  private static final Logger LOG = LoggerFactory.getLogger(StateOfVersion1.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<Section, String> FILES = new EnumMap<>(Map.of(
      Section.SETTINGS, "settings.json", Section.PINS, "pins.json", Section.BUDGET, "admission"));
  private static final String WRITTEN = "written";

  private StateOfVersion1() {
  }

  /**
   * Reads the existing files; may wait for the disk. Skips files that cannot be parsed.
   *
   * @param sinceMillis skips files not written later
   * @throws IOException if the disk fails
   */
  static Copy read(Path root, long sinceMillis) throws IOException {
    boolean isAny = Existing.isFile(root.resolve(WRITTEN));
    Map<Section, Part> parts = new EnumMap<>(Section.class);
    for (Map.Entry<Section, String> file : FILES.entrySet()) {
      Section section = file.getKey();
      isAny |= Existing.isFile(root.resolve(file.getValue()));
      Part part = read(root.resolve(file.getValue()), sinceMillis, (bytes, millis) ->
          new Part(millis, parse(section, new String(bytes, StandardCharsets.UTF_8))));
      if (part != null) {
        parts.put(section, part);
      }
    }
    Long written = read(root.resolve(WRITTEN), sinceMillis, (bytes, millis) ->
        Long.parseLong(new String(bytes, StandardCharsets.US_ASCII).trim()));
    return new Copy(parts, written == null ? 0 : written, isAny);
  }

  private interface Parser<T> {
    T parse(byte[] bytes, long millis) throws IOException;
  }

  private static <T> T read(Path file, long sinceMillis, Parser<T> parser) throws IOException {
    if (!Existing.isFile(file)) {
      return null;
    }
    byte[] bytes = Files.readAllBytes(file);
    long millis = Files.getLastModifiedTime(file).toMillis();
    if (millis <= sinceMillis) {
      return null;
    }
    try {
      return parser.parse(bytes, millis);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Local cache: {} is damaged, ignoring it: {}", file, e.toString());
      return null;
    }
  }

  private static JsonNode parse(Section section, String file) throws IOException {
    if (section == Section.SETTINGS) {
      return JSON.readTree(file).required("settings");
    }
    if (section == Section.PINS) {
      ArrayNode pins = JSON.createArrayNode();
      JSON.readTree(file).required("rules").forEach(rule -> pins.addObject()
          .put("path", rule.required("path").asText())
          .put("quota", rule.required("quota").asLong()));
      return pins;
    }
    ObjectNode budget = JSON.createObjectNode();
    file.lines().map(line -> line.split("=")).forEach(
        pair -> budget.put(pair[0], Long.parseLong(pair[1])));
    return budget.without(List.of("Sequence", "Checksum"));
  }

  /** Deletes the files, which {@link KeptState} has taken over. */
  static void delete(Path root) throws IOException {
    LOG.info("Local cache: migrated {} of version 1.0 in {} to {}",
        FILES.values(), root, KeptState.FILE);
    for (String name : FILES.values()) {
      Files.deleteIfExists(root.resolve(name));
    }
    Files.deleteIfExists(root.resolve(WRITTEN));
  }
}
