/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfslocalcache.plugin.health.Attempt;
import io.hdfslocalcache.plugin.ssd.file.Existing;
import io.hdfslocalcache.plugin.ssd.file.PrivateFiles;
import io.hdfslocalcache.ratelimit.StateFile;
import io.hdfslocalcache.time.TimeAndThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a DataNode keeps over restarts: one file, the same on every SSD in use and in one more
 * directory if the operator wants it, so that an SSD that is replaced loses nothing. Only what has
 * been written to an SSD is of that SSD alone.
 *
 * <p>Copies differ when an SSD was absent. Of each section the one that was changed last counts, so
 * it does not matter in which order copies are found. The balance of the write budget is an
 * exception: the limiter gets all that were found, and goes on with the lowest.
 *
 * <p>A thread for each place reads its copy before it writes the first time, and may get stuck with
 * its disk. Whoever waits for it does so without any monitor, and not longer than a write may take;
 * the rate limiter does not wait.
 */
public final class KeptState implements StateFile {

  /** What is kept for all SSDs together. */
  public enum Section {
    SETTINGS, PINS, BUDGET;

    private String field() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Makes a new value of the present one. */
  @FunctionalInterface
  public interface Change {

    /**
     * Makes it; must not wait.
     *
     * @param before the present value, not to be changed; null: there is none
     * @throws IOException if that is not possible, and nothing is to be changed
     */
    JsonNode of(JsonNode before) throws IOException;
  }

  /** What a section says, and when that was said, in milliseconds. Never changed. */
  record Part(long changed, JsonNode value) {
  }

  /** What was found in one place. */
  record Copy(Map<Section, Part> parts, long written, boolean isOfVersion1) {
  }

  /** A directory that has a copy, or is to have one. */
  private static final class Place {
    private final Path root;
    private final SsdWear wear;
    private boolean isRead;
    private boolean isOfVersion1;
    /** The last revision that was written, or could not be. */
    private long tried = -1;
    private long done = -1;
    private IOException failure;
    /** Done when no thread is at work for it. */
    private CompletableFuture<Void> idle = CompletableFuture.completedFuture(null);
    /** Whether more has been written to the SSD than its copy says. */
    private boolean isStale;

    Place(Path root, SsdWear wear) {
      this.root = root;
      this.wear = wear;
    }

    boolean isBusy() {
      return !idle.isDone();
    }
  }

  /** A change that no place has yet. @param kept done when one has, or none can */
  private record Unkept(long revision, CompletableFuture<Void> kept) {
  }

  static final String FILE = "state.json";
  private static final Logger LOG = LoggerFactory.getLogger(KeptState.class);
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final int FORMAT = 1;

  private final List<Path> roots;
  private final Path extra;
  private final long patienceNanos;
  private final LongSupplier clock;
  private final Map<Path, Place> places = new LinkedHashMap<>();
  private final Map<Section, Part> parts = new EnumMap<>(Section.class);
  /** Balances that were found, and have not been replaced by one that was saved since. */
  private final List<Part> balances = new ArrayList<>();
  /** Places of which nobody knows what they have, with the reason. */
  private final Map<Path, String> unread = new TreeMap<>();
  private boolean isFound;
  private boolean isLost;
  private boolean isOnSsd;
  private long revision;
  private Runnable listener = () -> { };
  private final List<Unkept> unkept = new ArrayList<>();

  /**
   * Names the places; nothing is read yet.
   *
   * @param roots this DataNode's directories on the SSDs that are configured
   * @param extra its directory on another disk; null: none
   * @param patienceNanos how long to wait for the disks, in nanoseconds
   */
  public KeptState(List<Path> roots, Path extra, long patienceNanos) {
    // Between SSDs that were absent in turn, only the time of the host can tell what is newer.
    this(roots, extra, patienceNanos, TimeAndThreads.get()::currentTimeMillis);
  }

  KeptState(List<Path> roots, Path extra, long patienceNanos, LongSupplier clock) {
    this.roots = List.copyOf(roots);
    this.extra = extra;
    this.patienceNanos = patienceNanos;
    this.clock = clock;
  }

  /** @return one without a place: nothing can be kept. */
  public static KeptState nowhere() {
    return new KeptState(List.of(), null, 0);
  }

  /** Reads the copies that there are; waits for all disks together as long as a write may take. */
  public void open() {
    Map<Path, Attempt<Copy>> attempts = new LinkedHashMap<>();
    List<Path> all = new ArrayList<>(roots);
    if (extra != null && !all.contains(extra)) {
      all.add(extra);
    }
    all.forEach(root -> attempts.put(
        root, new Attempt<>("local-cache-state " + root, patienceNanos, () -> read(root))));
    attempts.forEach((root, attempt) -> {
      try {
        found(attempt.get());
      } catch (IOException | RuntimeException e) {
        LOG.warn("Local cache: cannot read the kept state in {} yet: {}", root, e.toString());
        synchronized (this) {
          unread.put(root, e.getMessage());
        }
      }
    });
    if (extra != null) {
      use(extra, null);
    }
  }

  /** @param newListener is run when the first SSD is used, and when a copy says more; may wait */
  public synchronized void onFound(Runnable newListener) {
    listener = newListener;
  }

  /**
   * Keeps a copy on an SSD from now on, and takes over what is in the one that is there. Does not
   * wait.
   *
   * @param root this DataNode's directory on the SSD
   * @param wear what has been written to it; null: it is no SSD
   */
  synchronized void use(Path root, SsdWear wear) {
    if (patienceNanos > 0) {
      Place place = new Place(root, wear);
      places.put(root, place);
      begin(place);
    }
  }

  /** Keeps no copy there any more. The one that is there stays; waits until it is up to date. */
  void leave(Path root) {
    refresh(root);
    awaitPlaces(patienceNanos, root);
    synchronized (this) {
      places.remove(root);
      unread.remove(root);
    }
    tellKept();
  }

  /** Writes down soon what has been written to an SSD. */
  synchronized void refresh(Path root) {
    Place place = places.get(root);
    if (place != null) {
      place.isStale = true;
      begin(place);
    }
  }

  /**
   * Writes down what has been written to all SSDs.
   *
   * @param atMostNanos how long to wait for it, in nanoseconds
   */
  public void keep(long atMostNanos) {
    synchronized (this) {
      List.copyOf(places.keySet()).forEach(this::refresh);
    }
    awaitPlaces(atMostNanos, null);
  }

  /** @return whether a restart finds it if it finds no SSD. */
  public boolean isBesideSsds() {
    return extra != null;
  }

  /** @return what a section says, not to be changed; null if nothing. */
  public synchronized JsonNode get(Section section) {
    Part part = parts.get(section);
    return part == null ? null : part.value();
  }

  /**
   * Changes a section, and waits until one place has it.
   *
   * @throws IOException if no place has it in time; then it is as it was before
   */
  public void change(Section section, Change change) throws IOException {
    Part before;
    Part after;
    CompletableFuture<Void> kept;
    synchronized (this) {
      if (!isFound && !unread.isEmpty() && section != Section.BUDGET) {
        Map.Entry<Path, String> one = unread.entrySet().iterator().next();
        throw new IOException("what was kept before, in " + one.getKey() + ", cannot be read: "
            + one.getValue());
      }
      before = parts.get(section);
      after = put(section, change);
      kept = kept();
    }
    tellKept();
    try {
      waitUntil(TimeAndThreads.get().nanoTime() + patienceNanos, kept);
    } catch (IOException e) {
      synchronized (this) {
        if (parts.get(section) == after) {
          // A disk that answers later must not bring back what was refused.
          put(section, value -> before == null ? null : before.value());
        }
      }
      throw e;
    }
  }

  /** Changes a section; it is written down with the next change, or soon. */
  public synchronized void changeSoon(Section section, UnaryOperator<JsonNode> change) {
    try {
      put(section, change::apply);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Part put(Section section, Change change) throws IOException {
    Part before = parts.get(section);
    long now = clock.getAsLong();
    Part after = new Part(before == null ? now : Math.max(now, before.changed() + 1),
        change.of(before == null ? null : before.value()));
    parts.put(section, after);
    revision++;
    places.values().forEach(this::begin);
    return after;
  }

  @Override
  public List<Map<String, Long>> load() throws IOException {
    synchronized (this) {
      if (balances.isEmpty() && (isLost || !unread.isEmpty())) {
        throw new IOException("what was kept cannot be read: " + unread);
      }
      List<Map<String, Long>> all = new ArrayList<>();
      for (Part balance : balances) {
        Map<String, Long> values = new TreeMap<>();
        balance.value().fields().forEachRemaining(
            value -> values.put(value.getKey(), value.getValue().asLong()));
        values.put(AGE, Math.max(0, clock.getAsLong() - balance.changed()));
        all.add(values);
      }
      return all;
    }
  }

  @Override
  public CompletableFuture<Void> save(Map<String, Long> values) {
    CompletableFuture<Void> kept;
    synchronized (this) {
      changeSoon(Section.BUDGET, before -> JSON.valueToTree(new TreeMap<>(values)));
      balances.clear();
      balances.add(parts.get(Section.BUDGET));
      kept = kept();
    }
    tellKept();
    return kept;
  }

  /** @return what is done when a place has the last change. To be called with the monitor held. */
  private CompletableFuture<Void> kept() {
    CompletableFuture<Void> kept = new CompletableFuture<>();
    unkept.add(new Unkept(revision, kept));
    return kept;
  }

  /** Tells those whose change a place has now, or none can take. To be called without the monitor. */
  private void tellKept() {
    List<Runnable> calls = new ArrayList<>();
    synchronized (this) {
      long done = places.values().stream().mapToLong(place -> place.done).max().orElse(-1);
      boolean isOver = places.values().stream().noneMatch(Place::isBusy);
      IOException why = places.values().stream().map(place -> place.failure)
          .filter(failure -> failure != null).findFirst()
          .orElseGet(() -> new IOException("no SSD is in use to keep it on"));
      unkept.removeIf(change -> {
        if (change.revision <= done) {
          calls.add(() -> change.kept.complete(null));
        } else if (isOver) {
          calls.add(() -> change.kept.completeExceptionally(why));
        } else {
          return false;
        }
        return true;
      });
    }
    calls.forEach(Runnable::run);
  }

  /** @return whether it differs from what was known. */
  private synchronized boolean found(Copy copy) {
    boolean isNew = false;
    for (Map.Entry<Section, Part> one : copy.parts().entrySet()) {
      Part known = parts.get(one.getKey());
      isFound = true;
      if (known == null || known.changed() != one.getValue().changed()) {
        isNew = true;
        if (one.getKey() == Section.BUDGET && !balances.contains(one.getValue())) {
          balances.add(one.getValue());
        }
      }
      if (known == null || known.changed() < one.getValue().changed()) {
        parts.put(one.getKey(), one.getValue());
      }
    }
    return isNew;
  }

  /** To be called with the monitor held. */
  private void begin(Place place) {
    if (place.isBusy() || place.isRead && !place.isStale && place.tried >= revision) {
      return;
    }
    try {
      Thread thread = TimeAndThreads.get().newThread(() -> bringUpToDate(place));
      thread.setName("local-cache-state " + place.root);
      thread.start();
      place.idle = new CompletableFuture<>();
    } catch (OutOfMemoryError e) {
      // No thread can be started now: the next change tries again.
      place.failure = new IOException(e);
      place.tried = revision;
    }
  }

  private void bringUpToDate(Place place) {
    boolean isOver = false;
    while (!isOver) {
      long now = -1;
      IOException failure = null;
      try {
        if (!place.isRead) {
          takeOver(place);
        }
        byte[] json;
        synchronized (this) {
          now = revision;
          place.isStale = false;
          json = isEmpty(place) ? null : json(place);
        }
        if (json != null) {
          write(place, json);
        }
      } catch (IOException | RuntimeException | Error e) {
        failure = e instanceof IOException io ? io : new IOException(e);
      }
      synchronized (this) {
        place.failure = failure;
        place.tried = now < 0 ? revision : now;
        place.done = failure == null ? now : place.done;
        // One that could not be read is tried again with the next change.
        isOver = !place.isRead || !place.isStale && place.tried >= revision
            || places.get(place.root) != place;
        if (isOver) {
          place.idle.complete(null);
        }
      }
      tellKept();
    }
  }

  private boolean isEmpty(Place place) {
    return parts.isEmpty() && (place.wear == null || place.wear.writtenBytes() == 0);
  }

  private void takeOver(Place place) throws IOException {
    Copy copy = read(place.root);
    if (place.wear != null) {
      place.wear.restore(copy.written());
    }
    synchronized (this) {
      unread.remove(place.root);
      place.isRead = true;
      place.isOfVersion1 = copy.isOfVersion1();
      boolean isNew = found(copy);
      if (isNew) {
        revision++;
        places.values().forEach(this::begin);
      }
      if (isNew || !isOnSsd && place.wear != null) {
        isOnSsd = true;
        // In a thread of its own: who is told may save something, and wait for this one.
        Thread thread = TimeAndThreads.get().newThread(listener);
        thread.setName("local-cache-state-found");
        thread.start();
      }
    }
  }

  private byte[] json(Place place) throws IOException {
    ObjectNode document = JSON.createObjectNode();
    document.put("comment", "written by the local cache: do not edit");
    document.put("format", FORMAT);
    parts.forEach((section, part) -> document.putObject(section.field())
        .put("changed", part.changed()).set("value", part.value()));
    if (place.wear != null) {
      document.put("written", place.wear.writtenBytes());
    }
    return JSON.writeValueAsBytes(document);
  }

  private void write(Place place, byte[] json) throws IOException {
    if (place.wear == null) {
      PrivateFiles.createDirectories(place.root);
    }
    PrivateFiles.replace(place.root.resolve(FILE), true, out -> out.write(json));
    if (place.isOfVersion1) {
      StateOfVersion1.delete(place.root);
      place.isOfVersion1 = false;
    }
  }

  /** @param only one place; null: all */
  private void awaitPlaces(long atMostNanos, Path only) {
    long until = TimeAndThreads.get().nanoTime() + atMostNanos;
    List<CompletableFuture<Void>> idle;
    synchronized (this) {
      idle = places.values().stream().filter(place -> only == null || only.equals(place.root))
          .map(place -> place.idle).toList();
    }
    try {
      for (CompletableFuture<Void> one : idle) {
        waitUntil(until, one);
      }
    } catch (IOException e) {
      LOG.warn("Local cache: could not save how much was written to an SSD: {}", e.getMessage());
    }
  }

  private static void waitUntil(long until, CompletableFuture<Void> end) throws IOException {
    try {
      if (!TimeAndThreads.get().isDoneIn(end, until - TimeAndThreads.get().nanoTime())) {
        throw new IOException("the SSD does not answer");
      }
      end.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
  }

  /** May wait for the disk. */
  private Copy read(Path root) throws IOException {
    // Its own directory is made when the SSD is used for the first time, which may be to come.
    if (!root.equals(extra) && !Existing.isDirectory(root.getParent())) {
      throw new IOException("its SSD is not there: no " + root.getParent());
    }
    Path file = root.resolve(FILE);
    if (!Existing.isAnything(file)) {
      return StateOfVersion1.read(root);
    }
    byte[] json = Files.readAllBytes(file);
    try {
      return parse(JSON.readTree(json));
    } catch (IOException | RuntimeException e) {
      Path aside = root.resolve(FILE + ".unusable");
      Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
      LOG.error("Local cache: {} is damaged and was renamed to {}; settings, pins and the balance of "
          + "the write budget are lost unless another SSD has them: {}", file, aside.getFileName(),
          e.getMessage());
      synchronized (this) {
        isLost = true;
      }
      return new Copy(Map.of(), 0, false);
    }
  }

  private static Copy parse(JsonNode document) throws IOException {
    if (document.path("format").asInt() != FORMAT) {
      throw new IOException("expected format " + FORMAT + ", got: " + document.path("format"));
    }
    Map<Section, Part> parts = new EnumMap<>(Section.class);
    for (Section section : Section.values()) {
      JsonNode part = document.path(section.field());
      if (part.hasNonNull("value")) {
        parts.put(section, new Part(part.path("changed").asLong(), part.get("value")));
      }
    }
    return new Copy(parts, document.path("written").asLong(), false);
  }
}
