/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadInfo;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.rules.Pins;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.util.StringUtils;

/**
 * Diagnostic data of a DataNode. It is read from the process and /proc, not from SSDs. It has no
 * names of users' files; of the configuration, only the local cache's keys and the data
 * directories.
 */
final class Diagnosis {

  private static final String THREADS = "local-cache";
  private static final String CODE = "io.hdfslocalcache.";
  /** The metrics of a rule are labelled with its name. */
  private static final String RULE = "tag.Rule";
  private static final String BEANS = "Hadoop:service=DataNode,name=*LocalCache*";
  /** Files of the kernel, copied as they are. */
  private static final List<String> SYSTEM = List.of("/proc/version", "/proc/loadavg",
      "/proc/self/limits", "/proc/self/cgroup", "/proc/self/mounts", "/proc/sys/vm/max_map_count",
      "/proc/pressure/io", "/proc/pressure/memory", "/sys/fs/cgroup/memory.max");

  private Diagnosis() {
  }

  /**
   * Collects it in about ten milliseconds.
   *
   * @param conf the DataNode's configuration
   * @param status the state of its local cache
   * @return each part by its name; an unavailable part is left out or says why
   */
  static Map<String, Object> of(Configuration conf, CacheStatus status) {
    Map<String, Object> parts = new LinkedHashMap<>();
    parts.put("time", Instant.ofEpochMilli(TimeAndThreads.get().currentTimeMillis()).toString());
    parts.put("status", status);
    parts.put("configuration", configuration(conf, status));
    parts.put("metrics", metrics());
    parts.put("process", process());
    parts.put("threads", threads());
    parts.put("system", system());
    parts.put("installed", installed());
    return parts;
  }

  /** @return all keys of the local cache with the values in force at the start, and the volumes. */
  private static Map<String, String> configuration(Configuration conf, CacheStatus status) {
    Map<String, String> values = new TreeMap<>(LocalCacheKeys.defaults());
    values.putAll(RateLimiterFactory.keys());
    values.putAll(status.configuration());
    String volumes = DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY;
    values.put(volumes, conf.getTrimmed(volumes, ""));
    return values;
  }

  private static Map<String, Object> metrics() {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    Map<String, Object> beans = new TreeMap<>();
    try {
      for (ObjectName name : server.queryNames(new ObjectName(BEANS), null)) {
        Map<String, Object> values = new TreeMap<>();
        for (MBeanAttributeInfo attribute : server.getMBeanInfo(name).getAttributes()) {
          Object value = server.getAttribute(name, attribute.getName());
          if (value instanceof Number || value instanceof String || value instanceof Boolean) {
            values.put(attribute.getName(), attribute.getName().startsWith(RULE)
                ? Pins.nameWithoutPath(value.toString()) : value);
          }
        }
        beans.put(name.toString(), values);
      }
    } catch (JMException e) {
      beans.put("error", e.toString());
    }
    return beans;
  }

  private static Map<String, Object> process() {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    Map<String, Object> process = new LinkedHashMap<>();
    process.put("java", System.getProperty("java.vm.name") + " "
        + System.getProperty("java.runtime.version"));
    process.put("processors", Runtime.getRuntime().availableProcessors());
    process.put("upMillis", ManagementFactory.getRuntimeMXBean().getUptime());
    process.put("heapUsedBytes", heap.getUsed());
    process.put("heapMaxBytes", heap.getMax());
    process.put("threads", ManagementFactory.getThreadMXBean().getThreadCount());
    ManagementFactory.getGarbageCollectorMXBeans().forEach(collector -> process.put(
        "millisOf" + collector.getName().replace(" ", ""), collector.getCollectionTime()));
    return process;
  }

  /** @return stacks of the local cache's threads, and of threads in its code. */
  private static Map<String, List<String>> threads() {
    Map<String, List<String>> stacks = new TreeMap<>();
    for (ThreadInfo thread
        : ManagementFactory.getThreadMXBean().dumpAllThreads(false, false)) {
      List<String> frames = Arrays.stream(thread.getStackTrace()).map(String::valueOf).toList();
      if (thread.getThreadName().startsWith(THREADS)
          || frames.stream().anyMatch(frame -> frame.contains(CODE))) {
        // Threads that serve a client have the client's name.
        String name = thread.getThreadName().startsWith(THREADS) ? thread.getThreadName() : "other";
        stacks.put(name + " #" + thread.getThreadId() + " " + thread.getThreadState(), frames);
      }
    }
    return stacks;
  }

  private static Map<String, List<String>> system() {
    Map<String, List<String>> files = new LinkedHashMap<>();
    for (String file : SYSTEM) {
      try {
        files.put(file, Files.readAllLines(Path.of(file)));
      } catch (IOException e) {
        // Not every kernel has this file.
      }
    }
    return files;
  }

  private static Map<String, String> installed() {
    Map<String, String> jars = new LinkedHashMap<>();
    Stream.of(DFSConfigKeys.class, Diagnosis.class, CacheRateLimiter.class).forEach(type -> {
      CodeSource source = type.getProtectionDomain().getCodeSource();
      if (source != null) {
        try {
          Path jar = Path.of(source.getLocation().toURI());
          jars.put(jar.toString(), Files.isRegularFile(jar) ? sha256(jar) : "no jar");
        } catch (IOException | URISyntaxException | NoSuchAlgorithmException e) {
          jars.put(source.getLocation().toString(), e.toString());
        }
      }
    });
    return jars;
  }

  private static String sha256(Path jar) throws IOException, NoSuchAlgorithmException {
    return "SHA-256 " + StringUtils.byteToHexString(
        MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
  }
}
