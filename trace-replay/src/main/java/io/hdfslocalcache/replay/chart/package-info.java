/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** Charts and text for reports in HTML that load nothing. */
package io.hdfslocalcache.replay.chart;
