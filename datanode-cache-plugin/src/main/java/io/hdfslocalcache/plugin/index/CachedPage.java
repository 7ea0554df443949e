/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.index;

/** A page that is on its SSD, as its block knows it. There are millions. */
public interface CachedPage {

  /** @return which page of its block it is, from 0. */
  int number();

  /** @return the parts of it that are there, a bit for each. */
  int parts();

  /** Notes that the page is read: it is evicted later. Does not wait for the SSD. */
  void use();
}
