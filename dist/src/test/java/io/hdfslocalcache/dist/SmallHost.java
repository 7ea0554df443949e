/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import io.hdfslocalcache.harness.Run;

/** A host with a Hadoop and an unpacked archive, both of small files except for the scripts. */
final class SmallHost {

  static final String JAR = "share/hadoop/hdfs/hadoop-hdfs-3.5.0.jar";
  static final String OWN = "share/hadoop/hdfs-local-cache";
  static final String PROFILE = "libexec/shellprofile.d/hdfs-localcache.sh";
  static final String PAGE = "share/hadoop/hdfs/webapps/datanode/datanode.html";
  static final String SCRIPT = "share/hadoop/hdfs/webapps/datanode/local-cache.js";
  static final String RELEASED = "released";
  private static final String RELEASED_PAGE = "<html>released</html>\n";

  /** Where the archive is laid out by the build. */
  private static final Path BUILT = Path.of(System.getProperty("distribution"));

  final Path home;
  final Path archive;
  final Map<String, String> environment = new HashMap<>();
  private final Path directory;

  SmallHost(Path directory) throws IOException {
    this.directory = directory;
    home = directory.resolve("hadoop");
    archive = directory.resolve("archive");
    layOutHadoop();
    unpackArchive("1.0");
    java("17.0.15");
  }

  private void layOutHadoop() throws IOException {
    jar(home.resolve(JAR), RELEASED, 1_000_000_000_000L);
    Files.writeString(home.resolve("share/hadoop/hdfs/hadoop-hdfs-3.5.0-tests.jar"), "tests");
    Files.writeString(home.resolve("share/hadoop/hdfs/hadoop-hdfs-client-3.5.0.jar"), "client");
    Files.createDirectories(home.resolve(PAGE).getParent());
    Files.writeString(home.resolve(PAGE), RELEASED_PAGE);
    Files.createDirectories(home.resolve("libexec/shellprofile.d"));
    Files.writeString(home.resolve("libexec/shellprofile.d/example.sh"), "# an example\n");
    Files.setPosixFilePermissions(home.resolve(JAR), PosixFilePermissions.fromString("rw-r-----"));
    age();
  }

  /** Gives everything a time, to the nanosecond, that cannot occur by chance. */
  void age() throws IOException {
    long time = 1_500_000_000;
    try (Stream<Path> all = Files.walk(home)) {
      for (Path path : all.sorted().toList()) {
        Files.setLastModifiedTime(path, FileTime.from(java.time.Instant.ofEpochSecond(time++,
            123_456_789)));
      }
    }
  }

  /** Replaces the archive by another version. */
  void unpackArchive(String version) throws IOException {
    delete(archive);
    for (String part : List.of("install.sh", "install/install-tools.jar",
        "shellprofile.d/hdfs-localcache.sh", "webapps/local-cache.js")) {
      Files.createDirectories(archive.resolve(part).getParent());
      Files.copy(BUILT.resolve(part), archive.resolve(part));
    }
    archive.resolve("install.sh").toFile().setExecutable(true);
    Files.writeString(archive.resolve("VERSION"), version + "\n");
    jar(archive.resolve("lib/plugin-" + version + ".jar"), "plugin " + version, 0);
    jar(archive.resolve("lib/cli-" + version + ".jar"), "cli " + version, 0);
    jar(archive.resolve("lib-java8/plugin-" + version + ".jar"), "for Java 8 " + version, 0);
    jar(archive.resolve("hadoop/hadoop-hdfs-3.5.0.jar"), "patched " + version, 0);
    Path released = directory.resolve("released/hadoop-hdfs-3.5.0.jar");
    jar(released, RELEASED, 1_000_000_000_000L);
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(
        released.resolveSibling("hadoop-hdfs-3.5.0-tests.jar")))) {
      entry(zip, "webapps/datanode/datanode.html", RELEASED_PAGE, 0);
    }
    Path page = archive.resolve("hadoop/webapps-3.5.0/datanode.html");
    Files.createDirectories(page.getParent());
    Files.writeString(page, "<html>patched " + version + "</html>\n");
    DistributionLists.main(new String[] {archive.toString(), released.toString()});
  }

  /** Makes the Hadoop a 3.4.3, which runs on Java 8. */
  void olderHadoop() throws IOException {
    Path released = directory.resolve("released");
    for (Path file : List.of(home.resolve(JAR), archive.resolve("hadoop/hadoop-hdfs-3.5.0.jar"),
        archive.resolve("hadoop/webapps-3.5.0"), released.resolve("hadoop-hdfs-3.5.0.jar"),
        released.resolve("hadoop-hdfs-3.5.0-tests.jar"))) {
      Files.move(file,
          file.resolveSibling(file.getFileName().toString().replace("3.5.0", "3.4.3")));
    }
    DistributionLists.main(new String[] {
        archive.toString(), released.resolve("hadoop-hdfs-3.4.3.jar").toString()});
  }

  /** Writes a jar with one class and a manifest. */
  static void jar(Path file, String content, long time) throws IOException {
    Files.createDirectories(file.getParent());
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      entry(zip, "META-INF/MANIFEST.MF", "Built-By: " + time, time);
      entry(zip, "org/apache/Some.class", content, time);
    }
  }

  /** Writes a jar as patches/build-for makes it. */
  static Path madeOf(Path original, String version, Path file) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Local-Cache-Version", version);
    manifest.getMainAttributes().putValue("Local-Cache-Replaces",
        Sha256.of(Files.readAllBytes(original)));
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file), manifest)) {
      entry(jar, "org/apache/Some.class", "made for " + version, 0);
    }
    return file;
  }

  private static void entry(ZipOutputStream zip, String name, String content, long time)
      throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(time);
    zip.putNextEntry(entry);
    zip.write(content.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes the record of an installation by version 1.0, with the directory of HDFS in it. */
  void asInstalledBy1_0(String hdfs) throws IOException {
    Path own = home.resolve(OWN);
    StringBuilder journal =
        new StringBuilder("# What install.sh did\nstate installed\nversion 1.0\n");
    Map<String, String> sums = new HashMap<>();
    for (String line : Files.readAllLines(own.resolve("SHA256SUMS"))) {
      String[] words = line.split("  ");
      if (words.length == 2) {
        sums.put(words[1], words[0]);
      }
    }
    String pages = hdfs + "/webapps/datanode";
    String original = OWN + "/original/";
    journal.append("original ").append(sums.get(original + "hadoop-hdfs-3.5.0.jar"))
        .append(" hadoop-hdfs-3.5.0.jar\n")
        .append("patched ").append(sums.get(hdfs + "/hadoop-hdfs-3.5.0.jar")).append('\n')
        .append("profile ").append(sums.get(PROFILE)).append('\n')
        .append("page ").append(sums.get(original + "datanode.html")).append(' ')
        .append(sums.get(pages + "/datanode.html")).append('\n')
        .append("page_script ").append(sums.get(pages + "/local-cache.js")).append('\n')
        .append("before libexec 1500000000.1\nbefore ").append(pages).append(" 1500000000.1\n")
        .append("after libexec 1600000000.1\nafter ").append(pages).append(" 1600000000.1\n");
    sums.forEach((path, sum) -> {
      if (path.startsWith(OWN + "/lib/")) {
        journal.append("lib ").append(sum).append(' ')
            .append(path.substring(path.lastIndexOf('/') + 1)).append('\n');
      }
    });
    Files.writeString(own.resolve("journal"), journal);
    Files.delete(own.resolve("SHA256SUMS"));
  }

  /** Points JAVA_HOME to a Java that claims to be of some version. */
  void java(String version) throws IOException {
    Path java = directory.resolve("java/bin/java");
    script(java, "[ \"$1\" != -version ] || { echo 'openjdk version \"" + version
        + "\" 2026-01-01' >&2; exit; }\nexec \"" + System.getProperty("java.home")
        + "/bin/java\" \"$@\"\n");
    environment.put("JAVA_HOME", directory.resolve("java").toString());
  }

  /** Puts a script in front of a command. */
  void standIn(String command, String body) throws IOException {
    Path commands = directory.resolve("commands");
    script(commands.resolve(command), body);
    environment.put("PATH", commands + ":" + System.getenv("PATH"));
  }

  /** @return lines of a script that cannot end, as if a thread of it hung in an SSD */
  String hang() {
    return "echo $$ > '" + directory.resolve("hung") + "'; echo '/ssd0 does not answer' >&2\n"
        + "trap '' TERM; exec sleep 60\n";
  }

  /** Ends the script that hangs. @return whether it was still there: nothing has waited for it */
  boolean endHung() throws IOException {
    long pid = Long.parseLong(Files.readString(directory.resolve("hung")).strip());
    return ProcessHandle.of(pid).map(ProcessHandle::destroyForcibly).orElse(false);
  }

  static void script(Path file, String body) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/usr/bin/env bash\n" + body);
    file.toFile().setExecutable(true);
  }

  /** Runs install.sh with this host's HADOOP_HOME as the last argument. */
  Run installSh(String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of(words));
    command.add(home.toString());
    return bare(command.toArray(new String[0]));
  }

  /** Runs install.sh with nothing but these arguments. */
  Run bare(String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of(archive.resolve("install.sh").toString()));
    command.addAll(List.of(words));
    return Run.of(environment, command);
  }

  static void delete(Path root) throws IOException {
    if (Files.exists(root)) {
      try (Stream<Path> all = Files.walk(root)) {
        for (Path path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }
}
