/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */

/**
 * What the code uses of the JDK and Java 8 does not have. The build puts calls of these classes
 * into the class files for Java 8, in the place of calls of the JDK's: the sources do not name
 * them. Where the JDK that runs has the real thing and it does more, it is used.
 *
 * <p>A class stands for the JDK's class or interface that its first line names, and its methods do
 * what the JDK's of the same name and parameters do.
 */
package io.hdfslocalcache.java8;
