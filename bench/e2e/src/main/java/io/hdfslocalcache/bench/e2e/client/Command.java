/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.client;

import java.util.List;

/**
 * What the readers' process is told to do.
 *
 * @param address the NameNode of the files
 * @param loads what to run at the same time
 */
public record Command(String address, List<Load> loads) {
}
