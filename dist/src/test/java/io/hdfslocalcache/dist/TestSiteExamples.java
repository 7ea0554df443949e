/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertTrue;

import java.io.File;
import java.util.ArrayList;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.Test;
import org.w3c.dom.NodeList;

/** The examples in {@code conf}. */
public final class TestSiteExamples {

  private static final File CONF = new File(System.getProperty("distribution"), "conf");

  @Test
  public void examples_eachKey_isOneOfTheDefaults() throws Exception {
    List<String> known = names(new File(CONF, "local-cache-default.xml"));
    for (String size : List.of("small", "medium", "large")) {
      List<String> keys = names(new File(CONF, "local-cache-site-" + size + ".xml"));
      assertTrue(size, keys.contains("dfs.datanode.local.cache.capacity"));
      keys.removeAll(known);
      assertTrue(size + " has unknown keys: " + keys, keys.isEmpty());
    }
  }

  private static List<String> names(File file) throws Exception {
    NodeList elements = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file)
        .getElementsByTagName("name");
    List<String> names = new ArrayList<>();
    for (int i = 0; i < elements.getLength(); i++) {
      names.add(elements.item(i).getTextContent().strip());
    }
    return names;
  }
}
