/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.java8.build;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * The step of the build that turns jars with class files of Java 17 into jars with class files of
 * Java 8. Every entry keeps its position and time, so that the result is reproducible.
 */
public final class Downgrade {

  private static final String CLASS = ".class";

  private final ToJava8 toJava8;
  private final String replaced;
  private final Path replacement;

  private Downgrade(ToJava8 toJava8, String replaced, Path replacement) {
    this.toJava8 = toJava8;
    this.replaced = replaced;
    this.replacement = replacement;
  }

  /**
   * Writes the jars.
   *
   * @param args directory of the output jars; class path of everything that the jars refer to; path
   *     in one of them, with a final slash, of classes to leave out; jar with their replacements;
   *     the jars
   * @throws Exception if one cannot be read, written or converted
   */
  public static void main(String[] args) throws Exception {
    Path to = Files.createDirectories(Path.of(args[0]));
    try (ToJava8 toJava8 = new ToJava8(urls(args[1]))) {
      Downgrade downgrade = new Downgrade(toJava8, args[2], Path.of(args[3]));
      for (int i = 4; i < args.length; i++) {
        Path jar = Path.of(args[i]);
        downgrade.downgrade(jar, to.resolve(jar.getFileName()));
      }
    }
  }

  private static URL[] urls(String classPath) throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    return urls.toArray(new URL[0]);
  }

  private void downgrade(Path from, Path to) throws Exception {
    try (JarFile jar = new JarFile(from.toFile(), false);
        OutputStream file = Files.newOutputStream(to);
        JarOutputStream out = new JarOutputStream(file)) {
      for (JarEntry entry : jar.stream().toList()) {
        String name = entry.getName();
        if (!name.startsWith("META-INF/versions/") && !name.startsWith(replaced)) {
          add(out, jar, entry);
        }
      }
      if (jar.getEntry(replaced) != null) {
        addReplacement(out, jar);
      }
    }
  }

  private void addReplacement(JarOutputStream out, JarFile to) throws Exception {
    try (JarFile jar = new JarFile(replacement.toFile(), false)) {
      for (JarEntry entry : jar.stream().toList()) {
        if (entry.getName().startsWith(replaced) || to.getEntry(entry.getName()) == null) {
          add(out, jar, entry);
        }
      }
    }
  }

  private void add(JarOutputStream out, JarFile from, JarEntry entry) throws Exception {
    String name = entry.getName();
    byte[] bytes = read(from, name);
    Map<String, byte[]> files =
        name.endsWith(CLASS) ? classes(from, name, bytes) : Map.of(name, bytes);
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      JarEntry added = new JarEntry(file.getKey());
      added.setTime(entry.getTime());
      out.putNextEntry(added);
      out.write(file.getValue());
    }
  }

  /** Converts a class to one or several. */
  private Map<String, byte[]> classes(JarFile jar, String name, byte[] bytes) throws Exception {
    Map<String, byte[]> files = new TreeMap<>();
    Map<String, byte[]> converted = toJava8.downgrade(
        new AtomicReference<>(name.substring(0, name.length() - CLASS.length())), bytes, false,
        other -> read(jar, other + CLASS));
    if (converted == null) {
      files.put(name, bytes);
    } else {
      converted.forEach((path, content) -> files.put(path + CLASS, content));
    }
    return files;
  }

  /** @return null if there is no such entry. */
  private static byte[] read(JarFile jar, String name) {
    JarEntry entry = jar.getJarEntry(name);
    if (entry == null) {
      return null;
    }
    try (InputStream in = jar.getInputStream(entry)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
