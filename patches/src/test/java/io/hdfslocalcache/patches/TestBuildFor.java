/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import static io.hdfslocalcache.patches.CustomHadoop.DATASET;
import static io.hdfslocalcache.patches.CustomHadoop.VERSION;
import static io.hdfslocalcache.patches.CustomHadoop.content;
import static io.hdfslocalcache.patches.CustomHadoop.jar;
import static io.hdfslocalcache.patches.CustomHadoop.sources;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The script {@code build-for}, on published releases that have no series. */
public class TestBuildFor {

  private static final String SENDER = "org/apache/hadoop/hdfs/server/datanode/BlockSender.class";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private CustomHadoop hadoop;

  @Before
  public void setUp() throws Exception {
    hadoop = new CustomHadoop(folder.getRoot().toPath());
  }

  @Test
  public void buildFor_anotherReleaseOfALine_takesTheNewestSeriesThatApplies() throws Exception {
    assertMade("3.4.3", sources("3.4.1"), jar("3.4.1"), "hadoop-hdfs-3.4.1.jar");
    assertMade("3.3.6", sources("3.3.4"), jar("3.3.4"), "hadoop-hdfs-3.3.4.jar");
  }

  @Test
  public void buildFor_changedClassOfAVendor_keepsTheChange() throws Exception {
    String declaration = "class FsDatasetImpl implements FsDatasetSpi<FsVolumeImpl> {";
    hadoop.change(text -> text.replace(declaration, declaration
            + "\n  static String vendor() {\n    return \"a vendor's own\";\n  }\n"));
    assertMade("3.4.3", hadoop.customSources(), hadoop.customJar(),
        "hadoop-hdfs-" + VERSION + ".jar");
    byte[] dataset = content(hadoop.made.resolve("hadoop-hdfs-" + VERSION + ".jar"))
        .get(DATASET.replace(".java", ".class"));
    assertTrue(text(dataset).contains("a vendor's own"));
    assertTrue(text(dataset).contains("setInterceptor"));
  }

  private void assertMade(String series, Path sources, Path jar, String name) throws Exception {
    int exit = hadoop.buildFor(sources, jar);
    assertEquals(hadoop.complaint(), 0, exit);
    assertTrue(hadoop.printed(), hadoop.printed().contains("the patches for " + series + " apply"));
    Map<String, byte[]> released = content(jar);
    Map<String, byte[]> made = content(hadoop.made.resolve(name));
    assertTrue(made.keySet().containsAll(released.keySet()));
    assertTrue(text(made.get(SENDER)).contains("BlockReaderInterceptor"));
    assertEquals("class files of Java 8", 52, made.get(SENDER)[7]);
    assertTrue(text(made.get("META-INF/local-cache.series"))
        .contains("hadoop-" + series + "/directory-scan-changes.patch\n"));
    Manifest manifest = new Manifest(new ByteArrayInputStream(made.get("META-INF/MANIFEST.MF")));
    assertEquals(HexFormat.of().formatHex(
        MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar))),
        manifest.getMainAttributes().getValue("Local-Cache-Replaces"));
    String untouched = "org/apache/hadoop/hdfs/server/datanode/BlockReceiver.class";
    assertArrayEquals(released.get(untouched), made.get(untouched));
  }

  @Test
  public void buildFor_hunkDoesNotApply_canBeMendedInTheRepository() throws Exception {
    hadoop.change(text -> text.replace("          // bump the replica's GS\n",
        "          // raise its stamp\n"));
    assertEquals(1, hadoop.buildFor(hadoop.customSources(), hadoop.customJar()));
    String printed = hadoop.printed();
    assertTrue(printed, printed.contains("error: patch failed: " + DATASET));
    assertTrue(printed, printed.contains("// bump the replica's GS"));
    assertFalse(Files.exists(hadoop.made));

    mend(hadoop.patches.resolve("target/refresh-" + VERSION));
    assertEquals(hadoop.complaint(), 0, hadoop.run("./refresh", "export", VERSION));
    assertEquals("patches of releases stay as they are", -1,
        Files.mismatch(Path.of("common/datanode-interceptor-lifecycle.patch"),
            hadoop.patches.resolve("common/datanode-interceptor-lifecycle.patch")));
    int exit = hadoop.buildFor(hadoop.customSources(), hadoop.customJar());
    assertEquals(hadoop.complaint(), 0, exit);
    assertTrue(hadoop.printed(),
        hadoop.printed().contains("the patches for " + VERSION + " apply"));
  }

  /** In a comment, so that only the patch takes it for the place. */
  @Test
  public void buildFor_hunkFitsTwoPlaces_isSaid() throws Exception {
    String patch = Files.readString(Path.of("common/replica-map-changes.patch"));
    String hunk = patch.substring(patch.indexOf("\n@@", patch.indexOf("+++ b/" + DATASET)) + 1);
    String context = hunk.lines().skip(1).takeWhile(line -> line.matches("[ +-].*"))
        .filter(line -> !line.startsWith("+")).map(line -> line.substring(1) + "\n")
        .collect(Collectors.joining());
    hadoop.change(text -> text + "/*\n" + context + "*/\n");
    assertEquals(1, hadoop.buildFor(hadoop.customSources(), hadoop.customJar()));
    String printed = hadoop.printed();
    assertTrue(printed + hadoop.complaint(),
        printed.contains(hunk.lines().findFirst().orElseThrow() + " fits 2 places of " + DATASET));
    assertFalse(Files.exists(hadoop.made));
  }

  /** Follows the message by hand. */
  private void mend(Path repository) throws Exception {
    String replicaMap = "hadoop-" + VERSION + "/replica-map-changes.patch";
    Path patch = hadoop.patches.resolve(replicaMap);
    Path fitting = Files.writeString(folder.getRoot().toPath().resolve("fitting.patch"),
        Files.readString(patch).replace("// bump the replica's GS", "// raise its stamp"));
    commit(repository, fitting, replicaMap);
    for (String name : new String[] {"hadoop-" + VERSION + "/directory-scan-changes.patch",
        "hadoop-" + VERSION + "/dfsadmin-local-cache.patch"}) {
      commit(repository, hadoop.patches.resolve(name), name);
    }
  }

  private void commit(Path repository, Path patch, String subject) throws Exception {
    int exit = hadoop.run("bash", "-c", "cd \"$1\" && git apply \"$2\" && git add -A"
        + " && git -c user.name=x -c user.email=x@localhost commit -q -m \"$3\"", "sh",
        repository.toString(), patch.toString(), subject);
    assertEquals(hadoop.complaint(), 0, exit);
  }

  @Test
  public void buildFor_badInput_isRefusedWithOneLine() throws Exception {
    Path release = jar("3.4.1");
    assertRefused(sources("3.4.1"), Path.of("/nowhere.jar"), "/nowhere.jar: no such file");
    assertRefused(Path.of("/nowhere.jar"), release, "/nowhere.jar: no such file");
    assertRefused(sources("3.4.1"), sources("3.4.1"), "is not a hadoop-hdfs jar");
    assertRefused(release, release, "does not have the sources of hadoop-hdfs");
    Path text = Files.writeString(folder.getRoot().toPath().resolve("text.jar"), "text");
    assertRefused(sources("3.4.1"), text, "text.jar: is not a jar");
    assertRefused(sources("3.4.3"), release, "does not have the sources of " + release);
    hadoop.change(source -> source.replace("  @Override // FsDatasetSpi\n",
        "\n  @Override // FsDatasetSpi\n"));
    assertRefused(hadoop.customSources(), jar("3.4.3"),
        "is not what " + jar("3.4.3") + " was compiled from");
    assertRefused(sources("3.4.3"), hadoop.customJar(),
        "is not what " + hadoop.customJar() + " was compiled from");
  }

  @Test
  public void buildFor_wrongUse_exitsWithTwo() throws Exception {
    assertEquals(2, hadoop.run("./build-for"));
    assertEquals(2, hadoop.run("./build-for", "--sources"));
    assertEquals(2, hadoop.run("./build-for", "--fuzz", "2"));
    assertEquals(0, hadoop.run("./build-for", "--help"));
    assertTrue(hadoop.printed(), hadoop.printed().contains("--classpath"));
  }

  private void assertRefused(Path sources, Path jar, String reason) throws Exception {
    assertEquals(1, hadoop.buildFor(sources, jar));
    assertTrue(hadoop.complaint(), hadoop.complaint().contains(reason));
    assertEquals(hadoop.complaint(), 1, hadoop.complaint().lines().count());
    assertFalse(Files.exists(hadoop.made));
    assertFalse(Files.exists(hadoop.patches.resolve("target")));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
