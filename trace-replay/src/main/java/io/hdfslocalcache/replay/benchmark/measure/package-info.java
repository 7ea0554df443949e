/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/** What a reader measures, in a form that tasks hand over and that can be added up. */
package io.hdfslocalcache.replay.benchmark.measure;
