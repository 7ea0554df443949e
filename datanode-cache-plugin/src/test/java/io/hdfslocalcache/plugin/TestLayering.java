/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.Assert.assertTrue;

import java.net.URL;
import java.util.List;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.hdfslocalcache.plugin.hdfs.LocalCacheInterceptor;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import org.junit.BeforeClass;
import org.junit.Test;

/** Which package may know of which. */
public class TestLayering {

  private static final String PLUGIN = "io.hdfslocalcache.plugin..";
  private static final String RATE_LIMITER = "io.hdfslocalcache.ratelimit..";
  private static final String EVICTION = "io.hdfslocalcache.eviction..";

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
  public void alluxio_isUsedInTheStoreOnly() {
    noClasses().that().resideInAPackage(PLUGIN)
        .and().resideOutsideOfPackage("io.hdfslocalcache.plugin.store..")
        .should().dependOnClassesThat().resideInAPackage("io.hdfslocalcache.shaded..")
        .because("whoever replaces the page index has one package to change")
        .check(production);
  }

  @Test
  public void packages_dependOnEachOtherInOneDirection() {
    slices().matching("io.hdfslocalcache.(**)").should().beFreeOfCycles().check(production);
  }

  @Test
  public void rateLimiter_dependsOnJavaOnly() {
    classes().that().resideInAnyPackage(RATE_LIMITER, EVICTION)
        .should().onlyDependOnClassesThat().resideInAnyPackage("java..", RATE_LIMITER, EVICTION)
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
