/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * What tests, benchmarks and the demo share: programs and Hadoop's daemons in processes of their
 * own, which are started, waited for and ended; what a daemon shows at /jmx; tables and charts of
 * what was measured. Sees no class of Hadoop: a daemon has the class path that it is given.
 */
package io.hdfslocalcache.harness;
