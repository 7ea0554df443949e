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
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfslocalcache.plugin.health.Attempt;
import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.ErrorText;
import io.hdfslocalcache.plugin.ssd.Versions.Part;
import io.hdfslocalcache.plugin.ssd.file.Existing;
import io.hdfslocalcache.plugin.ssd.file.PrivateFiles;
import io.hdfslocalcache.ratelimit.StateFile;
import io.hdfslocalcache.time.TimeAndThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state that a DataNode saves for restarts: one file with the same content on every SSD in use
 * and, if configured, in one more directory, so that replacing an SSD loses nothing. Only the count
 * of bytes written belongs to one SSD.
 *
 * <p>Copies differ when an SSD was absent. The newest of the {@link Versions} of each part counts,
 * whatever the order in which copies are found. Each setting is a part of its own, with the name of its
 * key. The balance of the write budget is an exception: the limiter gets all balances, and uses the
 * lowest.
 *
 * <p>A thread for each place reads its copy before its first write, and may hang with its disk.
 * Callers wait for it without a monitor, and no longer than a write may take; the rate limiter does
 * not wait.
 */
public final class KeptState implements StateFile {

  /** Derives a new value from the present one. */
  @FunctionalInterface
  public interface Change {

    /**
     * Derives it; must not wait.
     *
     * @param before the present value, not to be changed; null: there is none
     * @return null: there is none from now on
     * @throws IOException if that is not possible; nothing is changed
     */
    JsonNode of(JsonNode before) throws IOException;
  }

  /** The content of one place. */
  record Copy(Map<String, Part> parts, long written, boolean isOfVersion1) {

    /** @param later changes since then, and bytes written since then */
    private Copy and(Copy later) {
      Map<String, Part> all = new TreeMap<>(parts);
      all.putAll(later.parts);
      return new Copy(all, written + later.written, later.isOfVersion1);
    }
  }

  /**
   * A directory in use for a copy. It may be left, and used again, while its disk hangs, perhaps with
   * another disk: its thread goes on then, and what it saves late is replaced.
   */
  private static final class Place {
    private final Path root;
    private final SsdWear wear;
    private final Path temporary;
    private boolean isRead;
    private boolean isOfVersion1;
    /** The last revision that was tried to be written. */
    private long tried = -1;
    private long done = -1;
    private IOException failure;
    /** Whether the copy's count of bytes written to the SSD is out of date. */
    private boolean isStale;
    /** Done when no thread works for it. */
    private CompletableFuture<Void> idle = CompletableFuture.completedFuture(null);
    /** When the thread last began to read or write. */
    private long began;

    Place(Path root, SsdWear wear, int number) {
      this.root = root;
      this.wear = wear;
      temporary = root.resolve(FILE + "." + number + ".tmp");
    }

    boolean isBusy() {
      return !idle.isDone();
    }

    boolean isDue(long revision) {
      return isStale || tried < revision;
    }
  }

  /** A change that no place has saved yet. @param kept done when one has, or none can */
  private record Unkept(long revision, CompletableFuture<Void> kept) {
  }

  /** The names of those parts that are no settings. */
  public static final String PINS = "pins";
  static final String BUDGET = "budget";

  static final String FILE = "state.json";
  private static final Logger LOG = LoggerFactory.getLogger(KeptState.class);
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  /** Does not depend on the platform. */
  private static final ObjectMapper CHECKED = new ObjectMapper();
  private static final int FORMAT = 1;
  private static final String CHECKSUM = "crc32";
  private static final String REFUSED = "refused";
  private static final String SILENT = "the SSD does not answer";
  private static final String NONE_ANSWERS = "no SSD in use answers";

  private final List<Path> roots;
  private final Path extra;
  private final long patienceNanos;
  private final LongSupplier clock;
  private final Map<Path, Place> places = new LinkedHashMap<>();
  private int used;
  private final Map<String, Versions> parts = new TreeMap<>();
  /** Balances found in copies, until a new balance is saved. */
  private final List<Part> balances = new ArrayList<>();
  /** Places that could not be read, with the reason. */
  private final Map<Path, String> unread = new TreeMap<>();
  private boolean isFound;
  private boolean isLost;
  private boolean isOnSsd;
  /** Whether newer state was found that the listener does not know yet. */
  private boolean isNews;
  private long revision;
  private Runnable listener = () -> { };
  private volatile Runnable reader = () -> { };
  private final List<Unkept> unkept = new ArrayList<>();
  /** The end of the last change of each part that has begun. */
  private final Map<String, CompletableFuture<Void>> changing = new HashMap<>();

  /**
   * Names the places; nothing is read yet.
   *
   * @param roots this DataNode's directories on the configured SSDs
   * @param extra its directory on another disk; null: none
   * @param patienceNanos how long to wait for the disks, in nanoseconds
   */
  public KeptState(List<Path> roots, Path extra, long patienceNanos) {
    // If SSDs were absent in turn, only the host's clock can tell which copy is newer.
    this(roots, extra, patienceNanos, TimeAndThreads.get()::currentTimeMillis);
  }

  KeptState(List<Path> roots, Path extra, long patienceNanos, LongSupplier clock) {
    this.roots = List.copyOf(roots);
    this.extra = extra;
    this.patienceNanos = patienceNanos;
    this.clock = clock;
  }

  /** @return a state without a place: nothing can be saved. */
  public static KeptState nowhere() {
    return new KeptState(List.of(), null, 0);
  }

  /**
   * Reads the existing copies, also those on SSDs that only the saved settings name: an SSD that was
   * added by command has newer settings than one that is drained or was absent. Waits for the first
   * as long as a write may take, and for others a tenth of that longer.
   *
   * @param named returns this DataNode's directories on the SSDs that saved settings name
   */
  public void open(Supplier<List<Path>> named) {
    long until = TimeAndThreads.get().nanoTime() + patienceNanos;
    Set<Path> all = new LinkedHashSet<>(roots);
    if (extra != null) {
      all.add(extra);
    }
    for (Set<Path> next = all; !next.isEmpty(); all.addAll(next)) {
      read(next, Math.max(patienceNanos / 10, until - TimeAndThreads.get().nanoTime()));
      next = new LinkedHashSet<>(named.get());
      next.removeAll(all);
    }
    if (extra != null) {
      use(extra, null);
    }
  }

  private void read(Set<Path> some, long atMostNanos) {
    Map<Path, Attempt<Copy>> attempts = new LinkedHashMap<>();
    some.forEach(root -> attempts.put(
        root, new Attempt<>("local-cache-state " + root, atMostNanos, () -> read(root))));
    attempts.forEach((root, attempt) -> {
      try {
        found(attempt.get());
      } catch (IOException | RuntimeException e) {
        LOG.warn("Local cache: {}", cannotRead(root, ErrorText.of(e)));
        synchronized (this) {
          unread.put(root, ErrorText.of(e));
        }
      }
    });
  }

  /** @param newListener is run when the first SSD is used and when a copy is newer; may wait */
  public synchronized void onFound(Runnable newListener) {
    listener = newListener;
  }

  /** @param newReader is run as soon as a copy is newer, before its SSD is used; must not wait */
  public void onRead(Runnable newReader) {
    reader = newReader;
  }

  /**
   * Takes over newer state from an SSD; waits for it.
   *
   * @return what an operator should know about its copy; empty if nothing
   * @throws IOException if it cannot be read
   */
  String read(SsdDirectory ssd) throws IOException {
    Path root = ssd.root();
    if (!isNowhere()) {
      try {
        found(root, read(root));
      } catch (IOException | RuntimeException e) {
        throw new IOException(cannotRead(root, ErrorText.of(e)), e);
      }
    }
    return Existing.isAnything(aside(root)) ? "its saved state was damaged: see " + aside(root) : "";
  }

  /**
   * Takes over newer state from an SSD that is not in use, perhaps because an older copy does not name
   * it; waits for it.
   *
   * @throws IOException if it cannot be read
   */
  void readUnused(Path root) throws IOException {
    found(root, read(root));
    synchronized (this) {
      tell(false);
    }
  }

  private boolean isNowhere() {
    return patienceNanos == 0;
  }

  private static String cannotRead(Path root, String why) {
    return "cannot read the saved state " + root.resolve(FILE) + ": " + why;
  }

  /** Call without the monitor. */
  private void found(Path root, Copy copy) {
    boolean isNew;
    synchronized (this) {
      unread.remove(root);
      isNew = found(copy);
      isNews |= isNew;
    }
    if (isNew) {
      reader.run();
    }
  }

  /**
   * Saves a copy on an SSD from now on, and takes over newer state from its existing copy. Does not
   * wait.
   *
   * @param root this DataNode's directory on the SSD
   * @param wear bytes written to it; null: not an SSD
   */
  synchronized void use(Path root, SsdWear wear) {
    if (!isNowhere()) {
      Place place = new Place(root, wear, used++);
      places.put(root, place);
      begin(place);
    }
  }

  /**
   * Stops saving a copy there. Waits until the existing copy is up to date.
   *
   * @param atMostNanos longest wait in nanoseconds
   */
  void leave(Path root, long atMostNanos) {
    refresh(root);
    awaitPlaces(atMostNanos, root::equals);
    synchronized (this) {
      places.remove(root);
      unread.remove(root);
    }
    tellKept();
  }

  /** Schedules saving the count of bytes written to an SSD, and all where that failed before. */
  void refresh(Path root) {
    refresh(root::equals);
  }

  private synchronized void refresh(Predicate<Path> some) {
    places.values().stream()
        .filter(place -> some.test(place.root) || place.failure != null).forEach(place -> {
          place.isStale = true;
          begin(place);
        });
  }

  /**
   * Saves the counts of bytes written to all SSDs.
   *
   * @param atMostNanos longest wait in nanoseconds
   */
  public void keep(long atMostNanos) {
    refresh(root -> true);
    awaitPlaces(atMostNanos, root -> true);
  }

  private static Path aside(Path root) {
    return root.resolve(FILE + ".unusable");
  }

  /**
   * Finds out whether a restart, which looks in the configured directories first, would find the state
   * in some of the places. Waits until those have saved it, as long as a write may take.
   */
  public boolean isFound(Predicate<Path> some) {
    Predicate<Path> looked = some.and(this::isLookedAt);
    refresh(looked);
    awaitPlaces(patienceNanos, looked);
    return working().stream().anyMatch(looked);
  }

  /** @return whether all places where a restart looks fail, but another one does not. Does not wait. */
  public boolean isElsewhere() {
    Set<Path> working = working();
    return !working.isEmpty() && working.stream().noneMatch(this::isLookedAt);
  }

  /** @return whether there is a place that does not fail, as far as known. Does not wait. */
  public boolean isAnyWorking() {
    return !working().isEmpty();
  }

  private synchronized Set<Path> working() {
    Set<Path> working = new HashSet<>(places.keySet());
    working.removeAll(failures().keySet());
    return working;
  }

  private boolean isLookedAt(Path root) {
    return roots.contains(root) || root.equals(extra);
  }

  /** @return the places where the last attempt to save failed or has no end, with the reason. */
  public synchronized Map<Path, String> failures() {
    long now = TimeAndThreads.get().nanoTime();
    Map<Path, String> failures = new TreeMap<>();
    places.forEach((root, place) -> {
      if (place.failure != null) {
        failures.put(root, ErrorText.of(place.failure));
      } else if (place.isBusy() && now - place.began > patienceNanos) {
        failures.put(root, SILENT);
      }
    });
    return failures;
  }

  /** @return why nothing can be deleted from a place, as far as known; else empty. A full one can. */
  synchronized String cannotDelete(Path root) {
    Place place = places.get(root);
    return place != null && place.failure != null
        && ErrorCause.of(place.failure) == ErrorCause.NO_SPACE ? ""
        : failures().getOrDefault(root, "");
  }

  /** @return why pins and settings that were saved may not be known; empty if they are. */
  public synchronized String unknown() {
    return isFound ? "" : unread.entrySet().stream().findFirst()
        .map(one -> cannotRead(one.getKey(), one.getValue())
            + (one.getKey().equals(extra) ? ""
                : "; it is read when the SSD is used: mount it, and run ssd add if you have removed it, "
                    + "or ssd replace for another SSD in its place"))
        .orElse("");
  }

  /**
   * @return SSDs that may have newer pins and settings than those found, because they could not be read,
   *     with the reason
   */
  public synchronized Map<Path, String> perhapsNewer() {
    Map<Path, String> some = new TreeMap<>();
    if (isFound) {
      unread.forEach((root, why) -> some.put(root.getParent(), why));
    }
    return some;
  }

  /** @return the value of a part as it is saved, not to be changed; null if none. */
  public synchronized JsonNode get(String name) {
    Versions versions = parts.get(name);
    Part part = versions == null ? null : versions.known();
    return part == null ? null : part.value();
  }

  private synchronized Versions of(String name) {
    return parts.computeIfAbsent(name, unused -> new Versions());
  }

  /** @return the names of all parts, also of those that were dropped. */
  public synchronized Set<String> names() {
    return new TreeSet<>(parts.keySet());
  }

  /**
   * Changes a part, and waits until one place has saved it. One change at a time: the next one must not
   * build on one that is refused.
   *
   * @throws IOException if no place has saved it in time; nothing is changed then
   */
  public void change(String name, Change change) throws IOException {
    long until = TimeAndThreads.get().nanoTime() + patienceNanos;
    CompletableFuture<Void> end = new CompletableFuture<>();
    CompletableFuture<Void> previous;
    synchronized (this) {
      previous = changing.put(name, end);
    }
    try {
      if (previous != null) {
        waitUntil(until, previous, NONE_ANSWERS);
      }
      change(name, change, until);
    } finally {
      if (previous == null) {
        end.complete(null);
      } else {
        previous.thenRun(() -> end.complete(null));
      }
    }
  }

  private void change(String name, Change change, long until) throws IOException {
    CompletableFuture<Void> kept;
    synchronized (this) {
      if (isNowhere()) {
        throw new IOException("a dry run saves nothing");
      }
      if (!unknown().isEmpty()) {
        throw new IOException(unknown());
      }
      of(name).propose(change.of(get(name)), clock.getAsLong());
      saveSoon();
      kept = kept();
    }
    boolean isKept = false;
    try {
      tellKept();
      waitUntil(until, kept, NONE_ANSWERS);
      isKept = true;
    } finally {
      end(of(name), isKept);
    }
  }

  private synchronized void end(Versions changed, boolean isKept) {
    if (isKept) {
      changed.accept();
    } else {
      changed.refuse();
      saveSoon();
    }
  }

  /**
   * Replaces what the last change of a part left by what it means now, and saves that soon. A later
   * change, which another copy may have, counts more.
   */
  public synchronized void correct(String name, UnaryOperator<JsonNode> correction) {
    of(name).correct(correction);
    saveSoon();
  }

  /** Call with the monitor held. */
  private void saveSoon() {
    revision++;
    places.values().forEach(this::begin);
  }

  @Override
  public List<Map<String, Long>> load() throws IOException {
    synchronized (this) {
      if (balances.isEmpty() && (isLost || !unread.isEmpty())) {
        throw new IOException("cannot read the saved state: " + unread);
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
      of(BUDGET).put(JSON.valueToTree(new TreeMap<>(values)), clock.getAsLong());
      saveSoon();
      balances.clear();
      balances.add(of(BUDGET).known());
      kept = kept();
    }
    tellKept();
    return kept;
  }

  /** @return a future of saving the last change in one place. Call with the monitor held. */
  private CompletableFuture<Void> kept() {
    CompletableFuture<Void> kept = new CompletableFuture<>();
    unkept.add(new Unkept(revision, kept));
    return kept;
  }

  /** Completes changes that a place has saved, or none can. Call without the monitor. */
  private void tellKept() {
    List<Runnable> calls = new ArrayList<>();
    synchronized (this) {
      long done = places.values().stream().mapToLong(place -> place.done).max().orElse(-1);
      boolean isOver = places.values().stream().noneMatch(Place::isBusy);
      IOException why = places.values().stream().map(place -> place.failure)
          .filter(failure -> failure != null).findFirst()
          .orElseGet(() -> new IOException("no SSD is in use to save it on"));
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

  /** @return whether it has newer state than known. */
  private synchronized boolean found(Copy copy) {
    boolean isNew = false;
    for (Map.Entry<String, Part> one : copy.parts().entrySet()) {
      Versions versions = of(one.getKey());
      Part before = versions.newest();
      versions.found(one.getValue());
      isFound = true;
      if (!one.getValue().equals(before)) {
        isNew = true;
        if (one.getKey().equals(BUDGET) && !balances.contains(one.getValue())) {
          balances.add(one.getValue());
        }
      }
    }
    return isNew;
  }

  /** Call with the monitor held. */
  private void begin(Place place) {
    if (place.isBusy() || !place.isDue(revision)) {
      return;
    }
    try {
      CompletableFuture<Void> end = new CompletableFuture<>();
      Thread thread = TimeAndThreads.get().newThread(() -> {
        try {
          bringUpToDate(place, end);
        } finally {
          end.complete(null);
        }
      });
      thread.setName("local-cache-state " + place.root);
      thread.start();
      place.idle = end;
      place.began = TimeAndThreads.get().nanoTime();
    } catch (OutOfMemoryError e) {
      // No thread can be started now: the next change retries.
      place.failure = new IOException(e);
      place.tried = revision;
    }
  }

  private void bringUpToDate(Place place, CompletableFuture<Void> end) {
    while (!end.isDone()) {
      save(place);
      synchronized (this) {
        place.began = TimeAndThreads.get().nanoTime();
        Place now = places.getOrDefault(place.root, place);
        if (now != place) {
          now.isStale = true;
          begin(now);
        }
        // A place that was left goes on: what it was saving may have been refused meanwhile.
        if (now != place || !place.isDue(revision)) {
          end.complete(null);
        }
      }
      tellKept();
    }
  }

  private void save(Place place) {
    long now = -1;
    boolean isSaved = false;
    IOException failure = null;
    try {
      synchronized (this) {
        place.isStale = false;
      }
      if (!place.isRead) {
        takeOver(place);
      }
      byte[] json;
      Map<String, Long> proposed = new TreeMap<>();
      synchronized (this) {
        now = revision;
        json = isEmpty(place) ? null : json(place);
        parts.forEach((name, versions) -> proposed.put(name, versions.proposed()));
      }
      proposed.values().removeIf(changed -> changed == Versions.NONE);
      isSaved = json == null || write(place, json, () -> maySave(proposed));
    } catch (IOException | RuntimeException | Error e) {
      failure = e instanceof IOException io ? io : new IOException(e);
    }
    if (failure != null && place.failure == null) {
      LOG.warn("Local cache: cannot save settings, pins and the balance of the write budget in "
          + "{}: {}", place.root, ErrorText.of(failure));
    }
    synchronized (this) {
      place.failure = failure;
      // A copy that could not be read is retried with the next change.
      place.tried = now < 0 ? revision : now;
      place.done = isSaved ? now : place.done;
    }
  }

  private synchronized boolean maySave(Map<String, Long> proposed) {
    return proposed.entrySet().stream().allMatch(one -> of(one.getKey()).maySave(one.getValue()));
  }

  private boolean isEmpty(Place place) {
    return parts.values().stream().allMatch(versions -> versions.newest() == null)
        && (place.wear == null || place.wear.writtenBytes() == 0);
  }

  private void takeOver(Place place) throws IOException {
    Copy copy = read(place.root);
    if (place.wear != null) {
      place.wear.restore(copy.written());
    }
    found(place.root, copy);
    synchronized (this) {
      tell(place.wear != null);
      place.isRead = true;
      place.isOfVersion1 = copy.isOfVersion1();
    }
  }

  /** Call with the monitor held. @param onSsd whether an SSD is used, perhaps the first one */
  private void tell(boolean onSsd) {
    if (isNews || !isOnSsd && onSsd) {
      // In its own thread: the listener may save something, and wait for this one. If it cannot be
      // started, the copy is not read yet.
      Thread thread = TimeAndThreads.get().newThread(listener);
      thread.setName("local-cache-state-found");
      thread.start();
      isOnSsd |= onSsd;
    }
    if (isNews) {
      isNews = false;
      saveSoon();
    }
  }

  private byte[] json(Place place) throws IOException {
    ObjectNode document = JSON.createObjectNode();
    document.put("comment", "written by the local cache: do not edit");
    document.put("format", FORMAT);
    parts.forEach((name, versions) -> {
      Part part = versions.newest();
      if (part != null) {
        ObjectNode saved = document.putObject(name);
        saved.put("changed", part.changed()).set("value", part.value());
        if (!part.refused().isEmpty()) {
          saved.set(REFUSED, JSON.valueToTree(part.refused()));
        }
      }
    });
    if (place.wear != null) {
      document.put("written", place.wear.writtenBytes());
    }
    return withChecksum(document);
  }

  /** An SSD may return wrong bytes, which make another name or number of a saved one. */
  static byte[] withChecksum(ObjectNode document) throws IOException {
    return JSON.writeValueAsBytes(document.put(CHECKSUM, checksum(document)));
  }

  /** @return that of the document as a reader would write it. */
  private static long checksum(JsonNode document) throws IOException {
    ObjectNode read = (ObjectNode) CHECKED.readTree(CHECKED.writeValueAsBytes(document));
    read.remove(CHECKSUM);
    CRC32 checksum = new CRC32();
    byte[] bytes = CHECKED.writeValueAsBytes(read);
    checksum.update(bytes, 0, bytes.length);
    return checksum.getValue();
  }

  /** @return false if it may not be saved any more; then the file is as before */
  private boolean write(Place place, byte[] json, BooleanSupplier maySave) throws IOException {
    if (place.wear == null) {
      PrivateFiles.createDirectories(place.root);
    } else if (!Existing.isDirectory(place.root)) {
      throw new IOException("directory is missing: " + place.root);
    }
    boolean isSaved = PrivateFiles.replaceDurably(
        place.root.resolve(FILE), place.temporary, out -> out.write(json), maySave);
    if (isSaved && place.isOfVersion1) {
      StateOfVersion1.delete(place.root);
      place.isOfVersion1 = false;
    }
    return isSaved;
  }

  private void awaitPlaces(long atMostNanos, Predicate<Path> some) {
    long until = TimeAndThreads.get().nanoTime() + atMostNanos;
    List<CompletableFuture<Void>> ends;
    synchronized (this) {
      ends = places.values().stream().filter(place -> some.test(place.root))
          .map(place -> place.idle).toList();
    }
    try {
      for (CompletableFuture<Void> one : ends) {
        waitUntil(until, one, SILENT);
      }
    } catch (IOException e) {
      LOG.warn("Local cache: could not save how much was written to an SSD: {}", e.getMessage());
    }
  }

  private static void waitUntil(long until, CompletableFuture<Void> end, String late)
      throws IOException {
    try {
      if (!TimeAndThreads.get().isDoneIn(end, until - TimeAndThreads.get().nanoTime())) {
        throw new IOException(late);
      }
      end.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } catch (ExecutionException e) {
      throw new IOException(ErrorText.of(e.getCause()), e.getCause());
    }
  }

  /** May wait for the disk. */
  private Copy read(Path root) throws IOException {
    // The DataNode's directory is created when the SSD is first used, perhaps later.
    if (!root.equals(extra) && !Existing.isDirectory(root.getParent())) {
      throw new IOException("its SSD is missing: no " + root.getParent());
    }
    Path file = root.resolve(FILE);
    if (!Existing.isAnything(file)) {
      return StateOfVersion1.read(root, 0);
    }
    // There are newer ones after a downgrade.
    Copy version1 = StateOfVersion1.read(root, Files.getLastModifiedTime(file).toMillis());
    byte[] json = Files.readAllBytes(file);
    try {
      return parse(JSON.readTree(json)).and(version1);
    } catch (IOException | RuntimeException e) {
      Path aside = aside(root);
      Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
      LOG.error("Local cache: {} is damaged and was renamed to {}; settings, pins and the balance of "
          + "the write budget are lost unless another SSD has them: {}", file, aside.getFileName(),
          e.getMessage());
      synchronized (this) {
        isLost = true;
      }
      return version1;
    }
  }

  private static Copy parse(JsonNode document) throws IOException {
    if (document.path("format").asInt() != FORMAT) {
      throw new IOException("expected format " + FORMAT + ", got: " + document.path("format"));
    }
    if (document.path(CHECKSUM).asLong(-1) != checksum(document)) {
      throw new IOException("its checksum is wrong");
    }
    Map<String, Part> parts = new TreeMap<>();
    document.fields().forEachRemaining(field -> {
      JsonNode part = field.getValue();
      if (part.has("changed")) {
        Set<Long> refused = new TreeSet<>();
        part.path(REFUSED).forEach(changed -> refused.add(changed.asLong()));
        parts.put(field.getKey(), new Part(part.path("changed").asLong(),
            part.hasNonNull("value") ? part.get("value") : null, refused));
      }
    });
    return new Copy(parts, document.path("written").asLong(), false);
  }
}
