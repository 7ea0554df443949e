/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * How the demo sees what the local cache does: from outside, as an operator does. The DataNode's
 * figures come over HTTP, pages are counted as files on the SSD.
 */
package io.hdfslocalcache.replay.demo.watch;
