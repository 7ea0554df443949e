/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

import org.junit.Test;

public class TestDeadSsd {

  @Test
  public void shows_errorsOfTheDevice_areTold() {
    assertTrue(DeadSsd.shows(new FileSystemException("/ssd", null, "Input/output error")));
    assertTrue(DeadSsd.shows(new FileSystemException("/ssd", null, "Read-only file system")));
    assertTrue(DeadSsd.shows(new IOException("Structure needs cleaning")));
  }

  @Test
  public void shows_errorOfTheDeviceAsCause_isTold() {
    assertTrue(DeadSsd.shows(DirectoryCheck.bad(Path.of("/ssd"), "must work",
        new IOException("Input/output error"))));
  }

  @Test
  public void shows_errorsOfTheConfiguration_areNotTakenForIt() {
    assertFalse(DeadSsd.shows(new AccessDeniedException("/ssd")));
    assertFalse(DeadSsd.shows(new FileSystemException("/ssd", null, "Not a directory")));
    assertFalse(DeadSsd.shows(new IOException("/ssd/in_use.lock is locked by another DataNode")));
    assertFalse(DeadSsd.shows(new IllegalStateException("Input/output error")));
  }
}
