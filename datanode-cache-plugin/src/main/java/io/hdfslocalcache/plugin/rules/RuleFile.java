/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;


import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.plugin.metrics.ErrorText;


/** The rules file. Thread-safe. */
final class RuleFile {

  private static final int MOST_BYTES = 1 << 20;

  private final Path path;
  private volatile byte[] seen;

  RuleFile(Path path) {
    this.path = path;
  }

  Path path() {
    return path;
  }

  /**
   * Reads the rules.
   *
   * @throws BadRulesException if they cannot be used
   */
  RuleSet read() throws BadRulesException {
    // As below.
    seen = null;
    seen = bytes();
    return RuleParser.parse(path.toString(), seen);
  }

  /**
   * Reads the rules if the file has changed since the last time.
   *
   * @return null if it has not changed
   */
  RuleSet readIfChanged() throws BadRulesException {
    byte[] before = seen;
    // After a failure, the same bytes are news.
    seen = null;
    byte[] now = bytes();
    seen = now;
    return Arrays.equals(now, before) ? null : RuleParser.parse(path.toString(), now);
  }

  private byte[] bytes() throws BadRulesException {
    try {
      if (Files.size(path) > MOST_BYTES) {
        throw new BadRulesException(path.toString(),
            "has more than " + Sizes.text(MOST_BYTES), null);
      }
      return Files.readAllBytes(path);
    } catch (BadRulesException e) {
      throw e;
    } catch (IOException e) {
      throw new BadRulesException(path.toString(), "cannot be read: " + ErrorText.of(e), e);
    }
  }
}
