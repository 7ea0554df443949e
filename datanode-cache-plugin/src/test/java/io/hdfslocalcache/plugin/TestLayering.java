/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.hdfslocalcache.plugin.hdfs.LocalCacheInterceptor;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.testing.ProjectFiles;
import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.util.Daemon;
import org.apache.hadoop.util.Time;
import org.junit.BeforeClass;
import org.junit.Test;

/** Which package may use which. */
public class TestLayering {

  private static final String PLUGIN = "io.hdfslocalcache.plugin..";
  private static final String RATE_LIMITER = "io.hdfslocalcache.ratelimit..";
  private static final String EVICTION = "io.hdfslocalcache.eviction..";
  private static final String TIME = "io.hdfslocalcache.time..";

  private static JavaClasses production;

  @BeforeClass
  public static void importClasses() {
    production = new ClassFileImporter().importUrls(List.of(
        home(LocalCache.class), home(CacheRateLimiter.class)));
    assertTrue(production.contain(LocalCacheInterceptor.class));
    assertTrue(production.contain(CacheRateLimiter.class));
  }

  private static URL home(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  @Test
  public void datanodeClasses_areUsedInOnePackageOnly() {
    noClasses().that().resideInAPackage(PLUGIN)
        .and().resideOutsideOfPackage("io.hdfslocalcache.plugin.hdfs..")
        .should().dependOnClassesThat()
        .resideInAPackage("org.apache.hadoop.hdfs.server.datanode..")
        .because("the next Hadoop line changes them: one package is enough to port")
        .check(production);
  }

  @Test
  public void alluxio_isUsedInTheRoomsOfAnSsdOnly() {
    noClasses().that().resideInAPackage(PLUGIN)
        .and().resideOutsideOfPackage("io.hdfslocalcache.plugin.ssd..")
        .should().dependOnClassesThat().resideInAPackage("io.hdfslocalcache.shaded.alluxio..")
        .because("whoever replaces the page index has one place to change")
        .check(production);
  }

  @Test
  public void otherShadedClasses_areUsedInMemoryOnly() {
    noClasses().that().resideInAPackage(PLUGIN)
        .and().resideOutsideOfPackages(
            "io.hdfslocalcache.plugin.ssd..", "io.hdfslocalcache.plugin.memory..")
        .should().dependOnClassesThat().resideInAPackage("io.hdfslocalcache.shaded..")
        .because("the memory tier has its policy from Caffeine, and nobody else needs it")
        .check(production);
  }

  @Test
  public void whatServesClients_seesNoFileOfAnSsd() {
    noClasses().that().resideInAPackage("io.hdfslocalcache.plugin.read..")
        .should().dependOnClassesThat().resideInAnyPackage("io.hdfslocalcache.plugin.ssd.file..",
            "io.hdfslocalcache.plugin.ssd.space..", "io.hdfslocalcache.plugin.ssd.mount..")
        .because("a thread that serves a client asks others to read an SSD")
        .check(production);
  }

  @Test
  public void whatServesClients_touchesNoFile() {
    noClasses().that().resideInAnyPackage(
            "io.hdfslocalcache.plugin.read..", "io.hdfslocalcache.plugin.memory..")
        // These touch a tmpfs only.
        .and().doNotHaveSimpleName("MemoryLimits").and().doNotHaveSimpleName("Machine")
        .and().doNotHaveSimpleName("MemoryTier").and().doNotHaveSimpleName("TierPage")
        .or().haveFullyQualifiedName("io.hdfslocalcache.plugin.hdfs.HdfsRead$Streams")
        .should().dependOnClassesThat(resideInAPackage("java.nio.file..")
            .or(assignableTo(FileChannel.class)).or(assignableTo(File.class))
            .or(assignableTo(FileInputStream.class)).or(assignableTo(FileOutputStream.class)))
        .because("any call into the file system of an SSD may hang")
        .check(production);
  }

  @Test
  public void ssdThatFails_doesNotLookEmpty() {
    noClasses().that().resideInAPackage("io.hdfslocalcache.plugin.ssd..")
        // Files of the kernel, on no disk.
        .and().doNotHaveSimpleName("DeviceWrites")
        .should().callMethod(Files.class, "exists", Path.class, LinkOption[].class)
        .orShould().callMethod(Files.class, "notExists", Path.class, LinkOption[].class)
        .orShould().callMethod(Files.class, "isDirectory", Path.class, LinkOption[].class)
        .orShould().callMethod(Files.class, "isRegularFile", Path.class, LinkOption[].class)
        .because("they say \"no\" if the disk fails, where Existing throws")
        .check(production);
  }

  @Test
  public void packages_dependOnEachOtherInOneDirection() {
    slices().matching("io.hdfslocalcache.(**)").should().beFreeOfCycles().check(production);
  }

  /** An arrow is left out if a longer path of arrows exists. */
  @Test
  public void rooms_areDrawnInTheDocumentAsTheyAre() throws IOException {
    Map<String, Set<String>> below = new TreeMap<>();
    for (JavaClass type : production) {
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        String from = room(type);
        String to = room(dependency.getTargetClass());
        if (from != null && to != null && !from.equals(to)) {
          below.computeIfAbsent(from, room -> new TreeSet<>()).add(to);
        }
      }
    }
    StringBuilder picture = new StringBuilder("flowchart TD\n");
    below.forEach((room, others) -> others.stream()
        .filter(other -> others.stream().noneMatch(
            between -> !between.equals(other) && leads(below, between, other)))
        .forEach(other -> picture.append("  " + room + " --> " + other + "\n")));
    assertTrue("draw it again in docs/dev/README.md:\n" + picture, Files.readString(
        ProjectFiles.of("docs/dev/README.md")).contains("```mermaid\n" + picture + "```"));
  }

  /** @return the package in the plugin, or the front door's name; null: it is elsewhere. */
  private static String room(JavaClass type) {
    String name = type.getPackageName();
    String plugin = LocalCache.class.getPackageName();
    return name.equals(plugin) ? "LocalCache"
        : name.startsWith(plugin + ".") ? name.substring(plugin.length() + 1) : null;
  }

  private static boolean leads(Map<String, Set<String>> below, String from, String to) {
    Set<String> next = below.getOrDefault(from, Set.of());
    return next.contains(to) || next.stream().anyMatch(room -> leads(below, room, to));
  }

  @Test
  public void clockOfTheHost_isForEyesOnly() {
    noClasses().that().resideInAnyPackage(PLUGIN, RATE_LIMITER)
        .and().doNotHaveSimpleName("TraceEntry").and().doNotHaveSimpleName("TraceFiles")
        .and().doNotHaveSimpleName("Diagnosis").and().doNotHaveSimpleName("RecentEvents")
        .and().doNotHaveSimpleName("Monitoring")
        // With two SSDs absent in turn, nothing else says which was changed last.
        .and().doNotHaveSimpleName("KeptState")
        .should().callMethod(TimeAndThreads.class, "currentTimeMillis")
        .because("it may jump, and nothing but a time that is shown may jump with it")
        .check(production);
  }

  @Test
  public void clocksThreadsAndWaits_areOfOnePlace() {
    noClasses().that().resideInAnyPackage(PLUGIN, RATE_LIMITER, EVICTION)
        .should().callMethod(System.class, "nanoTime")
        .orShould().callMethod(System.class, "currentTimeMillis")
        .orShould().callMethod(Instant.class, "now")
        .orShould().callMethod(Thread.class, "sleep", long.class)
        .orShould().callMethod(Thread.class, "join", long.class)
        .orShould().callMethod(TimeUnit.class, "sleep", long.class)
        .orShould().callMethod(TimeUnit.class, "timedWait", Object.class, long.class)
        .orShould().callMethod(Object.class, "wait")
        .orShould().callMethod(Object.class, "wait", long.class)
        .orShould().callMethod(CompletableFuture.class, "get", long.class, TimeUnit.class)
        .orShould().callMethod(BlockingQueue.class, "poll", long.class, TimeUnit.class)
        .orShould().callMethod(CountDownLatch.class, "await", long.class, TimeUnit.class)
        .orShould().callMethod(ThreadPoolExecutor.class, "awaitTermination", long.class,
            TimeUnit.class)
        .orShould().callMethod(ExecutorService.class, "awaitTermination", long.class,
            TimeUnit.class)
        .orShould().callMethod(Collection.class, "parallelStream")
        .orShould().callConstructor(Thread.class, Runnable.class)
        .orShould().callConstructor(Thread.class, Runnable.class, String.class)
        .orShould().dependOnClassesThat(type(Executors.class).or(type(Timer.class))
            .or(type(LockSupport.class)).or(assignableTo(ForkJoinPool.class))
            .or(type(Daemon.class)).or(type(Time.class)).or(type(ScheduledExecutorService.class)))
        .because("a simulation decides when time passes and which thread goes on")
        .check(production);
  }

  @Test
  public void filesOfSsds_areReachedByPathOnly() {
    noClasses().that().resideInAPackage(PLUGIN)
        .and().resideOutsideOfPackage("io.hdfslocalcache.plugin.hdfs..")
        // Lengthens a file without writing to it, which no channel can; in memory it writes a byte.
        .and().doNotHaveSimpleName("PageFiles")
        .should().dependOnClassesThat(type(FileInputStream.class).or(type(FileOutputStream.class))
            .or(type(RandomAccessFile.class)))
        .because("a simulation has the files of SSDs in memory")
        .check(production);
  }

  @Test
  public void rateLimiter_dependsOnJavaOnly() {
    classes().that().resideInAnyPackage(RATE_LIMITER, EVICTION, TIME)
        .should().onlyDependOnClassesThat().resideInAnyPackage(
            "java..", RATE_LIMITER, EVICTION, TIME)
        .because("the simulator runs the same classes without any Hadoop")
        .check(production);
  }

  @Test
  public void mainClasses_useNoTestLibrary() {
    noClasses().that().resideInAPackage(PLUGIN)
        .should().dependOnClassesThat().resideInAnyPackage("org.junit..", "org.mockito..")
        .check(production);
  }
}
