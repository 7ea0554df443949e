/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.Test;

/** When fills have to wait for readers. */
public class TestBusyReaders {

  private final AtomicLong nanos = new AtomicLong(-5);
  private final AtomicLong inProgress = new AtomicLong();
  private final AtomicLong ended = new AtomicLong(7);
  private boolean idleCpu;
  private final BusyReaders readers =
      new BusyReaders(inProgress::get, ended::get, () -> idleCpu, nanos::get);

  private void pass(long millis) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  @Test
  public void noRead_areNotBusy() {
    assertFalse(readers.getAsBoolean());
  }

  @Test
  public void readInProgress_areBusy_unlessACpuIsIdle() {
    inProgress.set(1);
    assertTrue(readers.getAsBoolean());
    idleCpu = true;
    assertFalse(readers.getAsBoolean());
  }

  @Test
  public void readEnded_areBusyForASecond() {
    ended.incrementAndGet();
    assertTrue(readers.getAsBoolean());
    pass(999);
    assertTrue(readers.getAsBoolean());
    pass(1);
    assertFalse(readers.getAsBoolean());
  }

  private String stat;
  private final IdleCpus cpus = new IdleCpus(this::line, 4, nanos::get);

  private String line() throws IOException {
    if (stat == null) {
      throw new IOException("no /proc");
    }
    return stat;
  }

  private boolean isOneIdle(long user, long idle, long waiting) {
    stat = "cpu  " + user + " 10 20 " + idle + " " + waiting + " 1 2 3 1000 1000";
    return cpus.getAsBoolean();
  }

  @Test
  public void idleCpus_aQuarterOfFour_isOne() {
    assertFalse("not known yet", isOneIdle(1000, 5000, 70));
    pass(400);
    assertTrue(isOneIdle(1300, 5060, 110));
    pass(400);
    assertFalse(isOneIdle(1601, 5119, 150));
  }

  @Test
  public void idleCpus_askedAgainAtOnce_doesNotLook() {
    isOneIdle(0, 0, 0);
    pass(400);
    assertTrue(isOneIdle(0, 400, 0));
    pass(199);
    assertTrue(isOneIdle(400, 400, 0));
    pass(1);
    assertFalse(isOneIdle(400, 400, 0));
  }

  @Test
  public void idleCpus_notAskedForLong_beginsAnew() {
    isOneIdle(0, 0, 0);
    pass(501);
    assertFalse(isOneIdle(0, 2400, 0));
    pass(400);
    assertTrue(isOneIdle(0, 2800, 0));
  }

  @Test
  public void idleCpus_cannotBeKnown_noneIsIdle() {
    assertFalse(cpus.getAsBoolean());
    stat = "cpu x";
    pass(400);
    assertFalse(cpus.getAsBoolean());
    stat = "";
    pass(400);
    assertFalse(cpus.getAsBoolean());
  }

  @Test
  public void idleCpus_ofThisMachine_canBeAsked() throws InterruptedException {
    IdleCpus real = new IdleCpus();
    real.getAsBoolean();
    Thread.sleep(300);
    real.getAsBoolean();
  }
}
