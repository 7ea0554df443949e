/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.java8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.Paths;

/** {@link Path}, {@link Files}, {@link FileStore}, {@link InputStream} and ExtendedOpenOption. */
public final class FileCalls {

  private static final MethodHandle BLOCK_SIZE =
      Newer.method(FileStore.class, "getBlockSize", long.class);
  private static final OpenOption DIRECT = direct();
  private static final long USUAL_BLOCK_SIZE = 4096;

  private FileCalls() {
  }

  public static Path of(String first, String... more) {
    return Paths.get(first, more);
  }

  public static Path of(URI file) {
    return Paths.get(file);
  }

  public static String readString(Path file, Charset charset) throws IOException {
    return charset.newDecoder().decode(java.nio.ByteBuffer.wrap(Files.readAllBytes(file)))
        .toString();
  }

  public static byte[] readAllBytes(InputStream in) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] part = new byte[8192];
    for (int n = in.read(part); n >= 0; n = in.read(part)) {
      all.write(part, 0, n);
    }
    return all.toByteArray();
  }

  /** On Java 8 the usual one: only direct I/O needs to know, and Java 8 has none. */
  public static long getBlockSize(FileStore store) throws IOException {
    if (BLOCK_SIZE == null) {
      return USUAL_BLOCK_SIZE;
    }
    try {
      return (long) BLOCK_SIZE.invokeExact(store);
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw Newer.thrown(e);
    }
  }

  private static OpenOption direct() {
    try {
      for (Object option
          : Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
        if (option.toString().equals("DIRECT")) {
          return (OpenOption) option;
        }
      }
    } catch (ClassNotFoundException e) {
      return null; // another vendor's JDK
    }
    return null;
  }

  /** @throws UnsupportedOperationException before Java 10, as where a file system cannot do it */
  public static OpenOption directOption() {
    if (DIRECT == null) {
      throw new UnsupportedOperationException("Java "
          + System.getProperty("java.specification.version") + " has no direct I/O");
    }
    return DIRECT;
  }
}
