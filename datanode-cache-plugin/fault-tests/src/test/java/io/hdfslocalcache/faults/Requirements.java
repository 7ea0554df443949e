/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.harness.Run;

/** What the fault tests need of the machine. */
public final class Requirements {

  private static String missing;

  private Requirements() {
  }

  /** @return what is missing, in words, or an empty text if all is there. */
  public static synchronized String missing() {
    if (missing == null) {
      missing = missingPrograms();
      missing = missing.isEmpty() ? missingRights() : missing;
    }
    return missing;
  }

  /** @return whether the kernel's file system can be made for it. */
  public static boolean has(Ssd.Kind kind) {
    return kind != Ssd.Kind.XFS || exists(LoopImage.Type.XFS.formatter());
  }

  private static String missingPrograms() {
    List<String> missing = new ArrayList<>();
    if (!isRoot()) {
      missing.add("root");
    }
    if (!Files.exists(Path.of("/dev/fuse"))) {
      missing.add("/dev/fuse");
    }
    for (String program : List.of("gcc", "pkg-config", "mkfs.ext4", "losetup", "mount")) {
      if (!exists(program)) {
        missing.add(program);
      }
    }
    if (exists("pkg-config") && !hasFuseLibrary()) {
      missing.add("libfuse3 with its headers");
    }
    return missing.isEmpty() ? ""
        : String.join(", ", missing) + " missing (see fault-tests/install-tools)";
  }

  /** In a container, root alone is not enough. */
  private static String missingRights() {
    for (Ssd.Kind kind : Ssd.Kind.USUAL) {
      try (Ssd ssd = kind.open()) {
        if (!ssd.isInService()) {
          return "a file system that was just mounted cannot be used: " + kind;
        }
      } catch (IOException e) {
        return "cannot mount: " + e.getMessage();
      }
    }
    return "";
  }

  private static boolean exists(String program) {
    for (String directory : (System.getenv("PATH") + ":/usr/sbin:/sbin").split(":")) {
      if (Files.isExecutable(Path.of(directory, program))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isRoot() {
    try {
      return Run.output("id", "-u").equals("0");
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean hasFuseLibrary() {
    return Run.tryTo("pkg-config", "--exists", "fuse3 >= 3.12");
  }
}
