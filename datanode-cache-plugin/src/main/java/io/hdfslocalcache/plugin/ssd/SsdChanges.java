/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.hdfslocalcache.plugin.health.Attempt;
import io.hdfslocalcache.plugin.health.SsdHealth;
import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.ssd.Places.Place;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SSDs that come and go while the DataNode runs. A change is done as a whole, or refused with an
 * exception and nothing is changed; the caller sees to it that one is done at a time. It waits for an
 * SSD as long as a write may take, and for no reader. Readers of an SSD that goes read the replica
 * from then on.
 */
public final class SsdChanges {

  private static final Logger LOG = LoggerFactory.getLogger(SsdChanges.class);

  private final SsdDirectories directories;

  /** Of these SSDs. */
  public SsdChanges(SsdDirectories directories) {
    this.directories = directories;
  }

  /**
   * Takes one more SSD into use, or one that is being drained. Pages that are there are restored.
   *
   * @param path absolute, and neither inside nor around another
   * @throws IOException if it cannot be used
   */
  public void add(Path path) throws IOException {
    Place place = directories.places().at(path);
    if (place == null) {
      directories.begin(open(path));
    } else if (!place.isDrained()) {
      throw new IOException(path + " is one of the SSDs already");
    } else if (place.ssd() == null) {
      directories.change(places -> places.with(new Place(path, null, false)));
    } else {
      place.ssd().setCapacity(check(path));
      directories.change(places -> places.with(new Place(path, place.ssd(), false)));
    }
  }

  /**
   * Lets no block go to an SSD any more. Its pages are served, and leave within ten minutes.
   *
   * @return bytes that they take now
   * @throws IOException if there is no such SSD
   */
  public long drain(Path path) throws IOException {
    Place place = known(path);
    directories.change(places -> places.with(new Place(path, place.ssd(), true)));
    if (place.ssd() == null) {
      return 0;
    }
    place.ssd().setCapacity(0);
    return place.ssd().usedBytes();
  }

  /**
   * Uses an SSD no more, and closes all that is open there. Page files that are left stay.
   *
   * @return number of pages that it had
   * @throws IOException if there is no such SSD
   */
  public long remove(Path path) throws IOException {
    Place place = known(path);
    directories.change(places -> places.without(path));
    directories.opener().forget(path);
    return directories.end(place);
  }

  /**
   * Uses the file system that has been mounted where an SSD was.
   *
   * @throws IOException if there is no such SSD, or what is mounted now cannot hold pages; if that
   *     is found only when it is opened, the SSD is down until it can be used
   */
  public void replace(Path path) throws IOException {
    Place place = known(path);
    check(path);
    directories.change(places -> places.with(new Place(path, null, false)));
    directories.end(place);
    try {
      directories.begin(open(path));
    } catch (IOException | RuntimeException e) {
      directories.addAbsent(path, SsdHealth.words(e));
      throw new IOException(path + " is DOWN until it can be used: " + SsdHealth.words(e), e);
    }
  }

  private Place known(Path path) throws IOException {
    Place place = directories.places().at(path);
    if (place == null) {
      List<String> all = directories.places().paths().stream().map(Path::toString).toList();
      throw new IOException(path + " is no directory of this local cache; "
          + (all.isEmpty() ? "there is none" : "these are: " + String.join(", ", all)));
    }
    return place;
  }

  private SsdDirectory open(Path path) throws IOException {
    try {
      return attempt("open", path, () -> directories.opener().open(path));
    } catch (IOException | RuntimeException e) {
      directories.opener().forget(path);
      throw e;
    }
  }

  private long check(Path path) throws IOException {
    return attempt("check", path, () -> directories.opener().check(path));
  }

  private <T> T attempt(String what, Path path, SsdIo.Io<T> io) throws IOException {
    try {
      return new Attempt<>("local-cache-" + what + "-" + path,
          directories.opener().patienceNanos(), io).get();
    } catch (IOException e) {
      LOG.debug("Local cache: {} of {} failed", what, path, e);
      String why = SsdHealth.words(e);
      throw new IOException(why.contains(path.toString()) ? why : path + ": " + why, e);
    }
  }
}
