/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * A client's read: where each byte of it comes from, and what is made of it when it is over.
 */
package io.hdfslocalcache.plugin.read;
