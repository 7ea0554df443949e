/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The local cache on SSDs that fail, hang, lie and fill up: media with faults to switch on, readers
 * that verify every byte, and a table of the outcomes.
 */
package io.hdfslocalcache.faults;
