/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.operator;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;
import org.junit.After;
import org.junit.Test;

/** An operator's command that is run in this process. */
public class TestAdminCommand {

  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final List<String> lines = new ArrayList<>();
  private final Configuration conf = new Configuration(false);

  @After
  public void streamsAreThoseOfBefore() {
    assertSame(out, System.out);
    assertSame(err, System.err);
  }

  private int run(Callable<Integer> program) throws IOException {
    return new AdminCommand("hdfs localcache", () -> new Program(program))
        .run(conf, lines::add, "off", "dn1:9867");
  }

  /** Sets a key of its configuration, and does what a test wants. */
  private static final class Program extends Configured implements Tool {
    private final Callable<Integer> program;

    Program(Callable<Integer> program) {
      this.program = program;
    }

    @Override
    public int run(String[] args) throws Exception {
      getConf().set("set.by.the.command", String.join(" ", args));
      return program.call();
    }
  }

  @Test
  public void run_showsTheCommandAndWhatItPrints_toBothStreams() throws IOException {
    assertEquals(0, run(() -> {
      System.out.println("dn1:9867: off");
      System.err.println("not on dn2:9867");
      return 0;
    }));
    assertEquals(
        List.of("$ hdfs localcache off dn1:9867", "dn1:9867: off", "not on dn2:9867"), lines);
  }

  @Test
  public void run_exitCodeIsTheCommands_evenIfItPrintsNothing() throws IOException {
    assertEquals(255, run(() -> 255));
    assertEquals(1, lines.size());
  }

  @Test
  public void run_configurationOfTheCaller_isNotChanged() throws IOException {
    run(() -> 0);
    assertNull(conf.get("set.by.the.command"));
  }

  @Test
  public void run_exceptions_areThoseOfTheCommand() {
    IOException io = new IOException("no NameNode");
    assertSame(io, assertThrows(IOException.class, () -> run(() -> {
      throw io;
    })));
    IllegalStateException wrong = new IllegalStateException();
    assertSame(wrong, assertThrows(IllegalStateException.class, () -> run(() -> {
      throw wrong;
    })));
    Exception checked = new InterruptedException();
    assertSame(checked, assertThrows(IOException.class, () -> run(() -> {
      throw checked;
    })).getCause());
  }
}
