/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.slf4j.LoggerFactory;

public class TestLocalCacheAdminService {
  private static final String EXPECTED = "the local cache of this DataNode takes get, set on, set "
      + "off, and since version 1.1 other commands as JSON: use an hdfs localcache of its version; "
      + "got: ";

  private final TestingSwitch localCache = new TestingSwitch(false);
  private final LogCapturer log =
      LogCapturer.captureLogs(LoggerFactory.getLogger(LocalCacheAdminService.class));
  private LocalCacheAdminService service;

  @Before
  public void createService() throws IOException {
    service = new LocalCacheAdminService(
        new Configuration(), localCache, () -> null, null);
  }

  @After
  public void stopCapturing() {
    log.stopCapturing();
  }

  @Test
  public void get_off_answersOffAndChangesNothing() throws IOException {
    assertAnswer(0, "off", send("get"));
    assertFalse(localCache.isOn());
    assertTrue(log.getOutput(), log.getOutput().startsWith("Local cache: state requested by "));
  }

  @Test
  public void set_onAndOff_answersTheNewState() throws IOException {
    assertAnswer(0, "on", send("set", "on"));
    assertTrue(localCache.isOn());
    assertAnswer(0, "off", send("set", "off"));
    assertFalse(localCache.isOn());
  }

  @Test
  public void set_persistWithoutAPlace_isRefusedAndChangesNothing() throws IOException {
    assertAnswer(-1, "on cannot be saved, so nothing was changed: the DataNode is still "
        + "starting: waiting for its NameNode, then for the SSDs; without --persist, it need not be saved", send("set", "on", "persist"));
    assertFalse(localCache.isOn());
    assertAnswer(-1, EXPECTED + "set on persist now", send("set", "on", "persist", "now"));
  }

  @Test
  public void set_anyState_isInTheLogWithUserAddressOldAndNew() throws IOException {
    send("set", "on");

    String user = UserGroupInformation.getCurrentUser().getUserName();
    assertTrue(log.getOutput(), log.getOutput().contains("off -> on by command of " + user));
    assertTrue(log.getOutput(), log.getOutput().contains("from this process"));
    assertTrue(localCache.why(), localCache.why().startsWith("command of " + user));
  }

  @Test
  public void refresh_wrongArguments_refusesAndChangesNothing() throws IOException {
    assertAnswer(-1, EXPECTED + "set maybe", send("set", "maybe"));
    assertAnswer(-1, EXPECTED + "", send());
    assertAnswer(-1, EXPECTED + "set on off", send("set", "on", "off"));
    assertAnswer(-1, EXPECTED + "ON", send("ON"));
    assertFalse(localCache.isOn());
    assertEquals("", localCache.why());
  }

  @Test
  public void refresh_json_isACommand() throws IOException {
    RefreshResponse status = send("{\"command\":\"status\"}");
    assertEquals(0, status.getReturnCode());
    assertTrue(status.getMessage(), status.getMessage().startsWith("{\"condition\":\"starting\""));
    assertAnswer(-1, "expected a text for command", send("{}"));
  }

  @Test
  public void refresh_wordsOfAnOlderCommand_saysWhichCommandToUse() throws IOException {
    assertAnswer(-1, EXPECTED + "status", send("status"));
    assertAnswer(-1, EXPECTED + "set capacity 1g persist", send("set", "capacity", "1g", "persist"));
  }

  @Test
  public void refresh_otherIdentifier_refuses() throws IOException {
    assertAnswer(-1, "unknown identifier, expected localCache, got: callQueue",
        only(service.refresh("callQueue", new String[] {"set", "on"})));
    assertFalse(localCache.isOn());
  }

  @Test
  public void refresh_refused_isLoggedOnceWithCommandAndReason() throws IOException {
    LogCapturer all = LogCapturer.captureLogs(LoggerFactory.getLogger("io.hdfslocalcache"));
    String caller = " of " + UserGroupInformation.getCurrentUser() + " from this process: ";
    try {
      for (String[] args : new String[][] {{"set", "on", "persist"}, {"set", "maybe"},
          {"{\"command\":\"ssd\",\"action\":\"drain\",\"directory\":\"/ssd\"}"},
          {"{\"command\":\"pin\"}"}, {"{\"command\":\"unheard\"}"}, {"{}"}, {"{no JSON"}}) {
        all.clearOutput();
        String why = send(args).getMessage();
        assertEquals(List.of("Local cache: refused " + List.of(args) + caller + why),
            all.getOutput().lines().filter(line -> line.contains(why)).toList());
      }
      all.clearOutput();
      service.refresh("other", new String[] {"get"});
      assertTrue(all.getOutput(), all.getOutput().contains("refused [get]" + caller
          + "unknown identifier, expected localCache, got: other"));
    } finally {
      all.stopCapturing();
    }
  }

  /** Accepted or refused, input cannot forge log lines. */
  @Test
  public void refresh_refusedWithLineBreaks_isOneShortLineOfTheLog() throws IOException {
    String forged = "\n2026-11-22 INFO forged " + "x".repeat(1 << 16);
    for (String[] args : new String[][] {{"set", forged}, {"{" + forged},
        {"{\"command\":\"" + forged.replace("\n", "\\n") + "\"}"}}) {
      log.clearOutput();
      assertEquals(-1, send(args).getReturnCode());
      List<String> lines = log.getOutput().lines().toList();
      assertEquals(lines.toString(), 1, lines.size());
      assertTrue(lines.get(0), lines.get(0).length() < 1000);
    }
  }

  @Test
  public void refresh_noSuperuser_isDeniedLoggedAndChangesNothing() {
    UserGroupInformation mallory =
        UserGroupInformation.createUserForTesting("mallory", new String[] {"staff"});

    for (String[] args : new String[][] {{"set", "on"}, {"get"}}) {
      assertThrows(AccessControlException.class, () -> mallory.doAs(
          (PrivilegedExceptionAction<RefreshResponse>) () -> send(args)));
    }
    assertFalse(localCache.isOn());
    assertTrue(log.getOutput(), log.getOutput().contains("[set, on] of mallory"));
  }

  /** Clients that may connect may send anything, under any name. */
  @Test
  public void refresh_lineBreaksAndMegabytes_areOneShortLineOfTheLog() {
    String forged = "x\n2026-11-22 10:00:00,000 INFO Local cache: off -> on by command of hdfs";
    for (String user : List.of("mallory", "mallory" + forged, "m" + "y".repeat(1 << 16))) {
      UserGroupInformation mallory =
          UserGroupInformation.createUserForTesting(user, new String[] {"staff"});
      for (String[] args : new String[][] {{forged}, {"set", "on", forged},
          {"x".repeat(1 << 20)}, Collections.nCopies(1 << 16, "\r\n").toArray(String[]::new)}) {
        log.clearOutput();
        assertThrows(AccessControlException.class, () -> mallory.doAs(
            (PrivilegedExceptionAction<RefreshResponse>) () -> send(args)));
        List<String> lines = log.getOutput().lines().toList();
        assertEquals(lines.toString(), 1, lines.size());
        assertTrue(lines.get(0), lines.get(0).length() < 1000);
        assertTrue(lines.get(0), lines.get(0).startsWith("Local cache: permission denied for "));
        assertTrue(lines.get(0), lines.get(0).endsWith("from this process"));
      }
    }
  }

  private RefreshResponse send(String... args) throws IOException {
    return only(service.refresh(LocalCacheAdminService.IDENTIFIER, args));
  }

  private static RefreshResponse only(Collection<RefreshResponse> responses) {
    assertEquals(1, responses.size());
    return responses.iterator().next();
  }

  private static void assertAnswer(int code, String message, RefreshResponse response) {
    assertEquals(message, response.getMessage());
    assertEquals(code, response.getReturnCode());
    assertEquals("localCache", response.getSenderName());
  }
}
