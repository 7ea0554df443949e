/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * Creates the configured rate limiter. Every failure is an
 * {@link IllegalArgumentException} with a message of one line, as {@link RateLimiterConfig}
 * describes: a DataNode shows it at start-up.
 */
public final class RateLimiterFactory {

  /**
   * One limiter of this project.
   *
   * @param keys the keys that affect it, with their defaults
   */
  private record Known(String name, Class<?> type,
      BiFunction<RateLimiterConfig, RateLimiterClock, CacheRateLimiter> constructor,
      Map<String, String> keys) {
  }

  /**
   * Short name or class name of the {@link CacheRateLimiter}. Default: {@link #CLASS_DEFAULT}.
   * Allowed: one of {@link #names}, or a public class on the DataNode's class path that implements
   * the interface and has its constructor.
   */
  public static final String CLASS_KEY = "dfs.datanode.local.cache.rate.limiter.class";

  /** Default of {@link #CLASS_KEY}: {@link WriteBudgetRateLimit}. */
  public static final String CLASS_DEFAULT = "write-budget";

  /** The limiters of this project. */
  private static final List<Known> KNOWN = List.of(
      new Known("admit-all", AdmitAll.class, AdmitAll::new, Map.of()),
      new Known("bucket-time", BucketTimeRateLimit.class, BucketTimeRateLimit::new,
          BucketTimeRateLimit.KEYS),
      new Known("second-touch", SecondTouch.class, SecondTouch::new, SecondTouch.KEYS),
      new Known("write-budget", WriteBudgetRateLimit.class, WriteBudgetRateLimit::create,
          WriteBudgetRateLimit.KEYS));

  private static final String ALLOWED = "must be one of " + String.join(", ", names())
      + ", or a public class that implements " + CacheRateLimiter.class.getName()
      + " and has a public constructor (RateLimiterConfig, RateLimiterClock), such as "
      + BucketTimeRateLimit.class.getName();

  private RateLimiterFactory() {
  }

  /**
   * Creates the rate limiter named by {@link #CLASS_KEY}.
   *
   * @param config the configuration, of the class name and of the limiter itself
   * @param clock the time the limiter lives by
   * @return the limiter, as it is; see {@link SafeRateLimiter}
   * @throws IllegalArgumentException when the class or its configuration is not allowed
   */
  public static CacheRateLimiter create(RateLimiterConfig config, RateLimiterClock clock) {
    return create(config.get(CLASS_KEY, CLASS_DEFAULT), config, clock);
  }

  /**
   * Creates the rate limiter with a given name.
   *
   * @param className short name or class name, the value of {@link #CLASS_KEY}
   * @param config the limiter's configuration
   * @param clock the time the limiter lives by
   * @return the limiter, as it is; see {@link SafeRateLimiter}
   * @throws IllegalArgumentException when the class or its configuration is not allowed
   */
  public static CacheRateLimiter create(
      String className, RateLimiterConfig config, RateLimiterClock clock) {
    Known known = known(className);
    if (known != null) {
      return known.constructor.apply(config, clock);
    }
    try {
      Constructor<? extends CacheRateLimiter> constructor = load(className)
          .asSubclass(CacheRateLimiter.class)
          .getConstructor(RateLimiterConfig.class, RateLimiterClock.class);
      return constructor.newInstance(config, clock);
    } catch (InvocationTargetException e) {
      throw constructorFailure(className, e.getCause());
    } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
      throw invalid(className, e);
    }
  }

  /**
   * Tells whether a key may have an effect on a limiter.
   *
   * @param className short name or class name, the value of {@link #CLASS_KEY}
   * @param key the key
   * @return false if not; true for an operator's own class, which may use any key
   */
  public static boolean hasEffect(String className, String key) {
    Known known = known(className);
    return known == null || known.keys.containsKey(key);
  }

  /**
   * Tells whether admission has a write budget.
   *
   * @param config the configuration, of the class name and of the limiter itself
   * @return false for another limiter, and if the budget is 0, or is not set while X or Y of
   *     {@link BucketTimeRateLimit} is
   * @throws IllegalArgumentException when a value is not allowed
   */
  public static boolean hasBudget(RateLimiterConfig config) {
    Known known = known(config.get(CLASS_KEY, CLASS_DEFAULT));
    return known != null && known.type == WriteBudgetRateLimit.class
        && WriteBudgetRateLimit.hasBudget(config);
  }

  /** @return the short names of the limiters of this project, in alphabetical order. */
  public static List<String> names() {
    return KNOWN.stream().map(Known::name).toList();
  }

  /** @return all keys of the limiters of this project, and {@link #CLASS_KEY}, with defaults. */
  public static Map<String, String> keys() {
    Map<String, String> keys = new TreeMap<>(Map.of(CLASS_KEY, CLASS_DEFAULT));
    KNOWN.forEach(known -> keys.putAll(known.keys));
    return keys;
  }

  /** @return the limiter with a short name or class name, or null if it is not of this project. */
  private static Known known(String className) {
    return KNOWN.stream()
        .filter(known -> known.name.equals(className) || known.type.getName().equals(className))
        .findFirst().orElse(null);
  }

  private static Class<?> load(String className) throws ClassNotFoundException {
    try {
      return Class.forName(className, false, RateLimiterFactory.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      // Only the context class loader may know an operator's own limiter.
      return Class.forName(className, false, Thread.currentThread().getContextClassLoader());
    }
  }

  private static IllegalArgumentException constructorFailure(String className, Throwable cause) {
    // A configuration error names its own key, so it is passed on.
    return cause instanceof IllegalArgumentException configurationError
        ? configurationError : invalid(className, cause);
  }

  private static IllegalArgumentException invalid(String className, Throwable cause) {
    return RateLimiterConfig.invalid(CLASS_KEY, className, ALLOWED + " (" + cause + ")", cause);
  }
}
