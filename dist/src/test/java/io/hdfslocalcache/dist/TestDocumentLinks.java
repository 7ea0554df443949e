/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.Test;

/** Every relative link of a document leads to a file, and to a heading: in archive and sources. */
public final class TestDocumentLinks {

  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");
  private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```");

  @Test
  public void archive_everyLink_leadsToAFile() throws IOException {
    Path root = Path.of(System.getProperty("distribution"));
    assertEquals(List.of(), broken(root, documents(root)));
  }

  @Test
  public void sources_everyLink_leadsToAFile() throws IOException {
    Path root = Path.of(System.getProperty("root")).toRealPath();
    List<Path> documents = new ArrayList<>();
    for (String part : List.of("docs", "bench/results", "conf")) {
      documents.addAll(documents(root.resolve(part)));
    }
    for (String name : List.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md",
        "patches/README.md", "datanode-cache-plugin/alluxio-shaded/README.md")) {
      documents.add(root.resolve(name));
    }
    assertEquals(List.of(), broken(root, documents));
  }

  private static List<Path> documents(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
  }

  /** @return {@code DOCUMENT: LINK} of each link that leads nowhere, or out of the root. */
  private static List<String> broken(Path root, List<Path> documents) throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path document : documents) {
      for (Matcher link = LINK.matcher(text(document)); link.find();) {
        if (!link.group(1).matches("[a-z]+:.*")) {
          links++;
          if (!leadsSomewhere(root, document, link.group(1))) {
            broken.add(root.relativize(document) + ": " + link.group(1));
          }
        }
      }
    }
    assertTrue("links: " + links, links > 50);
    return broken;
  }

  private static boolean leadsSomewhere(Path root, Path document, String link)
      throws IOException {
    int anchor = link.indexOf('#');
    String file = anchor < 0 ? link : link.substring(0, anchor);
    Path target = file.isEmpty() ? document : document.resolveSibling(file).normalize();
    return target.startsWith(root) && Files.exists(target) && (anchor < 0
        || !target.toString().endsWith(".md")
        || anchors(target).contains(link.substring(anchor + 1)));
  }

  /** The anchors that GitHub makes of headings. */
  private static List<String> anchors(Path document) throws IOException {
    return HEADING.matcher(text(document)).results().map(heading -> heading.group(1)
        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").toLowerCase(Locale.ROOT)
        .replaceAll("[^\\w\\- ]", "").replace(' ', '-')).toList();
  }

  private static String text(Path document) throws IOException {
    return CODE.matcher(Files.readString(document)).replaceAll("");
  }
}
