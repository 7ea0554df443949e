/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;

import io.hdfslocalcache.admin.DataNodeVerbs.SwitchTo;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import picocli.CommandLine.TypeConversionException;

/**
 * Runs one option of dfsadmin: {@code -setLocalCache on livenodes}. Called by the patched
 * {@code hdfs dfsadmin}, which knows this class by name and has the help, or without that patch by
 * {@code hadoop io.hdfslocalcache.admin.LocalCacheAdmin}.
 *
 * <p>Results go to standard output, errors to standard error. The exit code is 0 when all was done,
 * 1 when a DataNode or the NameNode failed, refused or could not be reached, and -1 when the
 * command line is wrong and nothing was tried.
 */
public final class LocalCacheAdmin extends Configured implements Tool {
  private static final String SET = "-setLocalCache";
  private static final String GET = "-getLocalCache";
  private static final String TARGET = " [<datanode_host:ipc_port>|livenodes]]";
  private static final String SET_USAGE = "[" + SET + " <on|off>" + TARGET;
  private static final String GET_USAGE = "[" + GET + TARGET;

  private final PrintStream out;
  private final PrintStream err;
  private final DataNodeClient.Timeouts timeouts;

  /** For {@code hdfs dfsadmin}: prints to the streams of the process. */
  public LocalCacheAdmin() {
    this(System.out, System.err, DataNodeClient.Timeouts.DEFAULT);
  }

  LocalCacheAdmin(PrintStream out, PrintStream err, DataNodeClient.Timeouts timeouts) {
    this.out = out;
    this.err = err;
    this.timeouts = timeouts;
  }

  /**
   * Runs one option.
   *
   * @param args the option and its arguments
   * @return the exit code: 0, 1 or -1
   */
  @Override
  public int run(String[] args) {
    String option = args.length == 0 ? "" : args[0];
    if (!option.equals(SET) && !option.equals(GET)) {
      err.println("Usage: hadoop " + getClass().getName());
      err.println("\t" + SET_USAGE);
      err.println("\t" + GET_USAGE);
      return Session.WRONG_USAGE;
    }
    Session session = Session.of(getConf(), out, err, timeouts);
    List<String> rest = Arrays.asList(args).subList(1, args.length);
    try {
      return option.equals(SET) ? set(session, rest) : SwitchTo.get(session, atMostOne(rest));
    } catch (TypeConversionException e) {
      err.println(option.substring(1) + ": " + e.getMessage());
      err.println("Usage: hdfs dfsadmin " + (option.equals(SET) ? SET_USAGE : GET_USAGE));
      return Session.WRONG_USAGE;
    } catch (IOException e) {
      err.println(e.getMessage());
      return Session.FAILED;
    }
  }

  private static int set(Session session, List<String> args) throws IOException {
    if (args.isEmpty()) {
      throw new TypeConversionException("expected on or off");
    }
    if (!args.get(0).equals("on") && !args.get(0).equals("off")) {
      throw new TypeConversionException("expected on or off, got: " + args.get(0));
    }
    return SwitchTo.set(session, args.get(0), atMostOne(args.subList(1, args.size())));
  }

  private static List<String> atMostOne(List<String> targets) {
    if (targets.size() > 1) {
      throw new TypeConversionException("too many arguments: " + String.join(" ", targets));
    }
    return targets;
  }

  /**
   * Runs one option and exits with its exit code.
   *
   * @param args Hadoop's generic options, then the option and its arguments
   * @throws Exception when it cannot run at all
   */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new HdfsConfiguration(), new LocalCacheAdmin(), args));
  }
}
