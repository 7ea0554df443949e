/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */

/**
 * Replacements of JDK classes that Java 8 does not have. In the class files for Java 8, the build
 * replaces calls of the JDK by calls of these classes: the sources do not name them. If the running
 * JDK has the real class and it does more, that is used.
 *
 * <p>A class replaces the JDK's class or interface named in its first line, and its methods do the
 * same as the JDK's with the same name and parameters.
 */
package io.hdfslocalcache.java8;
