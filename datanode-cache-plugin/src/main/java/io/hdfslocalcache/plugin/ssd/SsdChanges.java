/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.hdfslocalcache.plugin.health.Attempt;
import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.metrics.ErrorText;
import io.hdfslocalcache.plugin.ssd.Places.Place;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds and removes SSDs while the DataNode runs. A change is done completely, or refused with an
 * exception; the caller makes sure that one runs at a time. It waits for an SSD as long as a write
 * may take, and for no reader. Readers of a removed SSD continue from the replica.
 */
public final class SsdChanges {

  private static final Logger LOG = LoggerFactory.getLogger(SsdChanges.class);

  private final SsdDirectories directories;

  /** Changes these SSDs. */
  public SsdChanges(SsdDirectories directories) {
    this.directories = directories;
  }

  /**
   * Starts to use a new SSD, or one that is being drained. Existing pages are restored.
   *
   * @param path absolute, and neither inside nor around another
   * @throws IOException if it cannot be used
   */
  public void add(Path path) throws IOException {
    Place place = directories.places().at(path);
    if (place == null) {
      check(path);
      directories.beginNew(open(path));
    } else if (!place.isDrained()) {
      boolean isRead = place.ssd() != null && place.ssd().io().health().mayRead();
      throw new IOException(path + " is already in use" + (isRead ? ""
          : ", but " + directories.trouble(path) + "; ssd replace opens what is mounted there now"));
    } else {
      if (place.ssd() != null) {
        check(path);
      }
      directories.exchange(path, now -> new Place(path, now.ssd(), false));
    }
  }

  /** Uses these SSDs, and drains the others. One that cannot be opened now is down until it can. */
  public void useOnly(List<Path> wanted) {
    for (Path path : directories.inUse()) {
      if (!wanted.contains(path)) {
        directories.exchange(path, now -> new Place(path, now.ssd(), true));
      }
    }
    for (Path path : wanted) {
      if (directories.places().at(path) != null) {
        directories.exchange(path, now -> new Place(path, now.ssd(), false));
      } else {
        try {
          add(path);
        } catch (IOException | RuntimeException e) {
          directories.addAbsent(path, ErrorText.of(e));
        }
      }
    }
  }

  /**
   * Stops writing blocks to an SSD. Its pages are served, and evicted within ten minutes.
   *
   * @return bytes of its pages now
   * @throws IOException if there is no such SSD
   */
  public long drain(Path path) throws IOException {
    requireKnown(path);
    Place place = directories.exchange(path, now -> new Place(path, now.ssd(), true));
    return place.ssd() == null ? 0 : place.ssd().usedBytes();
  }

  /**
   * Stops using an SSD, and closes all open files. Remaining page files stay.
   *
   * @return number of pages that it had
   * @throws IOException if there is no such SSD
   */
  public long remove(Path path) throws IOException {
    requireKnown(path);
    return directories.end(directories.exchange(path, now -> null));
  }

  /**
   * Uses a new file system mounted in the place of an SSD.
   *
   * @throws IOException if there is no such SSD, or the new file system cannot hold pages; if only
   *     opening it shows that, the SSD is down until it can be used, and drained if it was
   */
  public void replace(Path path) throws IOException {
    requireKnown(path);
    try {
      check(path);
    } catch (IOException e) {
      directories.failed(path, ErrorText.of(e.getCause()));
      throw new IOException(
          e.getMessage() + "; for a dead SSD: umount -l, mount another, ssd replace again", e);
    }
    Place before = directories.exchange(path, now -> new Place(path, null, false));
    directories.end(before);
    try {
      directories.begin(open(path));
    } catch (IOException | RuntimeException e) {
      if (directories.addAbsent(path, ErrorText.of(e))) {
        return;
      }
      if (before.isDrained()) {
        drain(path);
      }
      throw new IOException(path + " is DOWN until it can be used: " + ErrorText.of(e), e);
    }
  }

  /** @throws IOException if it is not a directory of the local cache */
  public void requireKnown(Path path) throws IOException {
    if (directories.places().at(path) == null) {
      List<String> all = directories.places().paths().stream().map(Path::toString).toList();
      throw new IOException(path + " is not a directory of this local cache; "
          + (all.isEmpty() ? "it has none" : "its directories: " + String.join(", ", all))
          + "; ssd add uses a new or removed one");
    }
  }

  private SsdDirectory open(Path path) throws IOException {
    return attempt("open", path, () -> directories.open(path));
  }

  private void check(Path path) throws IOException {
    attempt("check", path, SsdIo.Io.of(() -> directories.opener().check(path)));
  }

  private <T> T attempt(String what, Path path, SsdIo.Io<T> io) throws IOException {
    try {
      return new Attempt<>("local-cache-" + what + "-" + path,
          directories.opener().patienceNanos(), io).get();
    } catch (IOException e) {
      LOG.debug("Local cache: {} of {} failed", what, path, e);
      String why = ErrorText.of(e);
      throw new IOException(why.contains(path.toString()) ? why : path + ": " + why, e);
    }
  }
}
