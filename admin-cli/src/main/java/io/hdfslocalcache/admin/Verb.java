/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.util.List;

/** One of the operator's commands. */
interface Verb {

  /** How it is called on the command line, hyphen included. */
  String name();

  /** Its name and arguments on one line: {@code <>} for a choice, {@code []} for an option. */
  String usage();

  /**
   * Does it.
   *
   * @param args what came after the verb
   * @return the exit code, {@link LocalCacheAdmin#DONE} or {@link LocalCacheAdmin#FAILED}
   * @throws UsageException when the arguments make no sense; nothing was done then
   */
  int run(List<String> args) throws UsageException;
}
