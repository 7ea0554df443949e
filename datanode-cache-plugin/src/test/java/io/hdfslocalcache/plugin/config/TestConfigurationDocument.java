/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.xml.parsers.DocumentBuilderFactory;

import io.hdfslocalcache.testing.ProjectFiles;
import org.junit.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * {@code docs/configuration.md} shows the keys of {@code conf/local-cache-default.xml}, each with
 * unit and range. With {@code -Dconfiguration.document.write=true} the test rewrites its tables.
 */
public class TestConfigurationDocument {

  private static final String WRITE = "configuration.document.write";
  private static final String BEGIN = "<!-- made of conf/local-cache-default.xml from here -->\n";
  private static final Pattern ENDING =
      Pattern.compile("(.+) Unit: (.+?)\\. Allowed: (.+)\\.", Pattern.DOTALL);
  private static final Path DOCUMENT = ProjectFiles.of("docs/configuration.md");

  /** A key as documented for operators. */
  private record Key(String name, String value, String description) {

    private Matcher parts() {
      Matcher parts = ENDING.matcher(description);
      assertTrue(name + ": the description must end with 'Unit: ... . Allowed: ... .', but is: "
          + description, parts.matches());
      return parts;
    }

    String row() {
      String shortName = name.startsWith(LocalCacheKeys.PREFIX)
          ? name.substring(LocalCacheKeys.PREFIX.length()) : name;
      // The rest is in the file itself.
      String first = parts().group(1).replaceFirst("(?<=[a-z)][.]) [A-Z0-9].*", "");
      return "| `" + shortName + "` | " + (value.isEmpty() ? "empty" : "`" + value + "`") + " | "
          + cell(first) + " |\n";
    }

    private static String cell(String text) {
      return text.replace("|", "\\|").replace("<", "&lt;");
    }
  }

  /** @return the keys by the comment above them, in the order of the file. */
  private static Map<String, List<Key>> groups() throws Exception {
    Map<String, List<Key>> groups = new LinkedHashMap<>();
    List<Key> group = new ArrayList<>();
    Element root = DocumentBuilderFactory.newInstance().newDocumentBuilder()
        .parse(ProjectFiles.of("conf/local-cache-default.xml").toFile()).getDocumentElement();
    for (Node node = root.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node.getNodeType() == Node.COMMENT_NODE) {
        group = new ArrayList<>();
        groups.put(oneLine(node.getNodeValue()), group);
      } else if (node instanceof Element property) {
        group.add(new Key(text(property, "name"), text(property, "value"),
            text(property, "description")));
      }
    }
    return groups;
  }

  private static String text(Element property, String field) {
    return oneLine(property.getElementsByTagName(field).item(0).getTextContent());
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }

  private static String tables() throws Exception {
    StringBuilder tables = new StringBuilder(BEGIN);
    groups().forEach((name, keys) -> {
      // After a colon, a heading may say where to read more.
      int colon = name.indexOf(": docs/");
      tables.append("\n## ").append(colon < 0 ? name : name.substring(0, colon)).append("\n\n");
      if (colon >= 0) {
        String file = name.substring(colon + ": docs/".length());
        tables.append("More in [").append(file).append("](").append(file).append(").\n\n");
      }
      tables.append("| key | default | |\n|---|---|---|\n");
      keys.forEach(key -> tables.append(key.row()));
    });
    return tables.toString();
  }

  @Test
  public void descriptions_endWithUnitAndWhatIsAllowed() throws Exception {
    Map<String, List<Key>> groups = groups();
    assertTrue("the test finds the keys",
        groups.values().stream().mapToInt(List::size).sum() > 20);
    groups.values().forEach(keys -> keys.forEach(Key::parts));
  }

  @Test
  public void document_hasEveryKeyAsTheFileHasIt() throws Exception {
    String document = read();
    int begin = document.indexOf(BEGIN);
    assertTrue("the line " + BEGIN, begin > 0);
    if (Boolean.getBoolean(WRITE)) {
      Files.writeString(DOCUMENT, document.substring(0, begin) + tables());
    }
    assertEquals("write it again: see the head of docs/configuration.md", tables(),
        read().substring(begin));
  }

  private static String read() throws IOException {
    return Files.readString(DOCUMENT);
  }
}
