/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;

import java.io.IOException;

import io.hdfslocalcache.plugin.metrics.LogText;

/** An invalid rules file; the message has the line and the mistake. */
public class BadRulesException extends IOException {

  private static final long serialVersionUID = 1L;

  BadRulesException(String file, int line, String what) {
    super(LogText.of(file) + ":" + line + ": " + LogText.of(what));
  }

  BadRulesException(String file, String what, Throwable cause) {
    super(LogText.of(file) + ": " + LogText.of(what), cause);
  }

  private BadRulesException(IOException why, String path) {
    super(LogText.of(path) + ": cannot be saved, so nothing was changed: " + why.getMessage(), why);
  }

  /** @return that a change of a pin cannot be saved, with the whole reason: its words are our own. */
  static BadRulesException notSaved(String path, IOException why) {
    return new BadRulesException(why, path);
  }
}
