/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.java8;

import java.io.UnsupportedEncodingException;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.stream.Stream;

import com.sun.management.UnixOperatingSystemMXBean;

/**
 * {@link CompletableFuture}, {@link Long}, {@link Matcher}, {@link Math}, {@link Optional},
 * {@link SplittableRandom}, {@link Stream}, {@link UnixOperatingSystemMXBean} and
 * {@link URLEncoder}.
 */
public final class Calls {

  private Calls() {
  }

  public static <T> CompletableFuture<T> failedFuture(Throwable e) {
    CompletableFuture<T> future = new CompletableFuture<>();
    future.completeExceptionally(e);
    return future;
  }

  public static String replaceAll(Matcher matcher, Function<MatchResult, String> replacement) {
    matcher.reset();
    StringBuffer text = new StringBuffer();
    while (matcher.find()) {
      matcher.appendReplacement(text, replacement.apply(matcher));
    }
    return matcher.appendTail(text).toString();
  }

  public static <T> T orElseThrow(Optional<T> value) {
    return value.get();
  }

  public static void nextBytes(SplittableRandom random, byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) random.nextInt();
    }
  }

  public static long getTotalMemorySize(UnixOperatingSystemMXBean system) {
    return system.getTotalPhysicalMemorySize();
  }

  public static String encode(String text, Charset charset) {
    try {
      return URLEncoder.encode(text, charset.name());
    } catch (UnsupportedEncodingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  public static long parseLong(CharSequence text, int begin, int end, int radix) {
    return Long.parseLong(text.subSequence(begin, end).toString(), radix);
  }

  public static int floorMod(long x, int y) {
    return (int) Math.floorMod(x, (long) y);
  }

  @SuppressWarnings("unchecked") // the stream has no others
  public static <T> List<T> toList(Stream<T> stream) {
    return (List<T>) Collections.unmodifiableList(Arrays.asList(stream.toArray()));
  }
}
