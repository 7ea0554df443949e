/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** Tests of the charts. */
package io.hdfslocalcache.replay.chart;
