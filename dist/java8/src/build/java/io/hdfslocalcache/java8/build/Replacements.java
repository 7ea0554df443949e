/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.java8.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.stream.Stream;

import io.hdfslocalcache.java8.Atomics;
import io.hdfslocalcache.java8.Buffers;
import io.hdfslocalcache.java8.Calls;
import io.hdfslocalcache.java8.Checksums;
import io.hdfslocalcache.java8.Crc32c;
import io.hdfslocalcache.java8.FileCalls;
import io.hdfslocalcache.java8.Lists;
import io.hdfslocalcache.java8.Maps;
import io.hdfslocalcache.java8.Sets;
import io.hdfslocalcache.java8.Strings;
import io.hdfslocalcache.java8.SystemLogger;
import io.hdfslocalcache.java8.ThisProcess;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import xyz.wagyourtail.jvmdg.util.Pair;
import xyz.wagyourtail.jvmdg.version.Adapter;
import xyz.wagyourtail.jvmdg.version.Stub;
import xyz.wagyourtail.jvmdg.version.VersionProvider;
import xyz.wagyourtail.jvmdg.version.map.MemberNameAndDesc;

/**
 * Replacements of JDK classes and methods that Java 8 does not have. A public static method
 * replaces the JDK's method of the same name and parameters; for an instance method, the object is
 * the first parameter.
 */
final class Replacements {

  private static final Map<String, Class<?>> CLASSES = Map.of(
      "java/lang/Record", Object.class,
      "java/lang/ProcessHandle", ThisProcess.class,
      "java/lang/System$Logger", SystemLogger.class,
      "java/lang/System$Logger$Level", SystemLogger.Level.class,
      "java/util/zip/CRC32C", Crc32c.class);

  private static final Map<String, Class<?>> METHODS = Map.ofEntries(
      Map.entry("java/io/InputStream", FileCalls.class),
      Map.entry("java/lang/Long", Calls.class),
      Map.entry("java/lang/Math", Calls.class),
      Map.entry("java/lang/String", Strings.class),
      Map.entry("java/lang/System", SystemLogger.class),
      Map.entry("java/net/URLEncoder", Calls.class),
      Map.entry("java/nio/ByteBuffer", Buffers.class),
      Map.entry("java/nio/file/FileStore", FileCalls.class),
      Map.entry("java/nio/file/Files", FileCalls.class),
      Map.entry("java/nio/file/Path", FileCalls.class),
      Map.entry("java/util/List", Lists.class),
      Map.entry("java/util/Map", Maps.class),
      Map.entry("java/util/Optional", Calls.class),
      Map.entry("java/util/Set", Sets.class),
      Map.entry("java/util/SplittableRandom", Calls.class),
      Map.entry("java/util/concurrent/CompletableFuture", Calls.class),
      Map.entry("java/util/concurrent/atomic/AtomicLongArray", Atomics.class),
      Map.entry("java/util/concurrent/atomic/AtomicReferenceArray", Atomics.class),
      Map.entry("java/util/regex/Matcher", Calls.class),
      Map.entry("java/util/stream/Stream", Calls.class),
      Map.entry("java/util/zip/Checksum", Checksums.class),
      Map.entry("com/sun/management/UnixOperatingSystemMXBean", Calls.class));

  private static final String DIRECT_OPTION = "com/sun/nio/file/ExtendedOpenOption.DIRECT";

  private Replacements() {
  }

  static void addTo(VersionProvider to) {
    Marks marks = Marks.here();
    CLASSES.forEach((name, by) -> to.classStubs.put(Type.getObjectType(name),
        new Pair<>(Type.getType(by), new Pair<>(by, marks.adapter))));
    METHODS.forEach((name, by) -> add(to, name, by, marks.stub));
  }

  private static void add(VersionProvider to, String name, Class<?> by, Stub stub) {
    Class<?> replaced = named(name);
    for (Method method : by.getDeclaredMethods()) {
      if (Modifier.isPublic(method.getModifiers()) && Modifier.isStatic(method.getModifiers())) {
        Class<?>[] all = method.getParameterTypes();
        if (isStatic(replaced, method)) {
          add(to, replaced, method, all, stub);
        } else if (all.length > 0 && all[0] == replaced) {
          add(to, replaced, method, Arrays.copyOfRange(all, 1, all.length), stub);
        }
      }
    }
  }

  private static void add(VersionProvider to, Class<?> replaced, Method by, Class<?>[] parameters,
      Stub stub) {
    Type descriptor = Type.getMethodType(Type.getReturnType(by),
        Stream.of(parameters).map(Type::getType).toArray(Type[]::new));
    try {
      to.getStubMapper(Type.getType(replaced), new LinkedHashSet<>())
          .addStub(new MemberNameAndDesc(by.getName(), descriptor), by, stub);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Class<?> named(String name) {
    try {
      return Class.forName(name.replace('/', '.'));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isStatic(Class<?> replaced, Method by) {
    try {
      return Modifier.isStatic(
          replaced.getMethod(by.getName(), by.getParameterTypes()).getModifiers());
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  /** @return null if Java 8 has that constant. */
  static MethodInsnNode of(FieldInsnNode constant) {
    return (constant.owner + "." + constant.name).equals(DIRECT_OPTION)
        ? new MethodInsnNode(Opcodes.INVOKESTATIC, Type.getInternalName(FileCalls.class),
            "directOption", "()Ljava/nio/file/OpenOption;")
        : null;
  }

  /** Empty annotations, which the tool needs. */
  @Adapter("")
  private record Marks(Stub stub, Adapter adapter) {

    @Stub
    static Marks here() {
      try {
        return new Marks(Marks.class.getDeclaredMethod("here").getAnnotation(Stub.class),
            Marks.class.getAnnotation(Adapter.class));
      } catch (NoSuchMethodException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
