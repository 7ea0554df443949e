/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

import io.hdfslocalcache.harness.Run;
import org.junit.Test;

/** The jar with the operator's commands, which joins the class path of every Hadoop tool. */
public final class TestAdminCliJar {

  @Test
  public void classes_areAllOurs() throws Exception {
    try (JarFile jar = new JarFile(jar().toFile())) {
      Set<String> files = jar.stream().filter(entry -> !entry.isDirectory())
          .map(ZipEntry::getName).collect(Collectors.toSet());
      assertTrue(files.toString(), files.containsAll(Set.of("META-INF/LICENSE", "META-INF/NOTICE",
          "io/hdfslocalcache/shaded/picocli/CommandLine.class")));
      files.removeIf(name -> name.startsWith("META-INF/")
          || name.startsWith("io/hdfslocalcache/admin/")
          || name.startsWith("io/hdfslocalcache/shaded/picocli/"));
      assertEquals(Set.of(), files);
    }
  }

  @Test
  public void help_withWhatEachHadoopHas_isShown() throws Exception {
    for (String version : HadoopLines.versions()) {
      String hadoop =
          Files.readString(HadoopLines.target(version).resolve("hadoop.classpath")).strip();
      Run run = Run.of(Map.of(), List.of(System.getProperty("java.home") + "/bin/java", "-cp",
          jar() + File.pathSeparator + hadoop, "io.hdfslocalcache.admin.LocalCacheCommand",
          "-D", "a.key=value", "status", "--help"));
      assertEquals(run.out(), 0, run.exit());
      assertTrue(run.out(), run.out().contains("Usage: hdfs localcache status [-h] [--json]"));
    }
  }

  private static Path jar() throws Exception {
    try (Stream<Path> lib = Files.list(Path.of(System.getProperty("distribution"), "lib"))) {
      return lib.filter(jar -> jar.getFileName().toString().startsWith("admin-cli"))
          .findFirst().orElseThrow();
    }
  }
}
