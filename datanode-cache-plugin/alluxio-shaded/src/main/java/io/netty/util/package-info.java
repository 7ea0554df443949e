/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Stand-ins for the leak detector of netty, which every lock that Alluxio takes is reported to.
 * With the real one Alluxio sets netty's detection level, a setting of the whole JVM, to
 * {@code DISABLED} and so takes it away from the DataNode's own netty. These detect nothing, which
 * is what Alluxio asks for. Relocated when the jar is shaded, so that they never meet netty.
 */
package io.netty.util;
