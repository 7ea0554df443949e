/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.mount;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Properties;

import io.hdfslocalcache.plugin.ssd.file.PrivateFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that says in which format a directory's pages are, as {@code VERSION} does in a data
 * directory. Pages of another format, or cut in another size, are not read but cleared.
 */
final class FormatMarker {

  private static final Logger LOG = LoggerFactory.getLogger(FormatMarker.class);
  private static final String NAME = "VERSION";
  private static final String FORMAT_KEY = "format";
  private static final String PAGE_SIZE_KEY = "pageSize";
  /** Changes with the layout of directories, and with what a page file holds. */
  private static final int FORMAT = 4;

  private FormatMarker() {
  }

  /** @return whether pages in the directory can be used; the log says why not. */
  static boolean matches(Path root, int pageSize) {
    Path file = root.resolve(NAME);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      LOG.info("Local cache: {} has no {} file and starts empty", root, NAME);
      return false;
    }
    Properties found = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      found.load(in);
    } catch (IOException | IllegalArgumentException e) {
      LOG.warn("Local cache: {} cannot be read; pages in {} are cleared", file, root, e);
      return false;
    }
    Properties expected = expected(pageSize);
    if (!found.equals(expected)) {
      LOG.warn("Local cache: pages in {} are of the form {}, not {}; they are cleared",
          root, found, expected);
      return false;
    }
    return true;
  }

  /** Marks the directory's pages as of the present format. */
  static void write(Path root, int pageSize) throws IOException {
    PrivateFiles.replace(root.resolve(NAME), false,
        out -> expected(pageSize).store(out, "Pages of the HDFS DataNode Local Cache"));
  }

  private static Properties expected(int pageSize) {
    Properties properties = new Properties();
    properties.setProperty(FORMAT_KEY, String.valueOf(FORMAT));
    properties.setProperty(PAGE_SIZE_KEY, String.valueOf(pageSize));
    return properties;
  }
}
