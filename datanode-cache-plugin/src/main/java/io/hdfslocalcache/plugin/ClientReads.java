/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;

import io.hdfslocalcache.plugin.admission.Admission;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.fill.FillRequest;
import io.hdfslocalcache.plugin.fill.PageFiller;
import io.hdfslocalcache.plugin.fill.ReadThrough;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.read.ClientRead;
import io.hdfslocalcache.plugin.read.PageSource;
import io.hdfslocalcache.plugin.read.SnapshotReader;
import io.hdfslocalcache.plugin.rules.RuleAccount;
import io.hdfslocalcache.plugin.rules.RuleKeeper;
import org.apache.hadoop.io.IOUtils;

/** Begins each client's read as {@link Admission} decides: from pages or replica, to fill or not. */
final class ClientReads implements Reads {

  /** What it works with. */
  record Context(Admission admission, RuleKeeper rules, PageSource pages, PageFiller filler,
      ReadThrough.Context fills, LocalCacheMetrics metrics, int pageSize) {
  }

  private final Context context;
  private final ClientRead.Listener withoutRule =
      (read, outcome, to) -> finished(read, outcome, to, null);
  private final LongAdder readsInProgress = new LongAdder();

  ClientReads(Context context) {
    this.context = context;
  }

  @Override
  public ClientRead begin(String clientName, String user, ReplicaSnapshot snapshot, long known,
      ReadOutcome unfit, long offset, long length) {
    long to = snapshot.end(offset, length);
    readsInProgress.increment();
    try {
      boolean isClient = !clientName.isEmpty();
      RuleAccount rule =
          isClient ? context.rules().rules().of(snapshot.key(), clientName, user) : null;
      ReadOutcome bypass = context.admission().begin(
          isClient, rule, snapshot.key(), offset, to, unfit);
      ClientRead read = readPages(rule, snapshot, known, bypass, offset, to);
      return read != null ? read : readReplica(rule, snapshot, bypass, offset, to);
    } catch (RuntimeException | Error e) {
      context.metrics().error(Operation.LOOKUP, e);
      return stockRead(null, snapshot, offset, to, ReadOutcome.BYPASS_ERROR);
    }
  }

  /** @return a read that begins with some pages at hand, or null if there are none. */
  private ClientRead readPages(RuleAccount rule, ReplicaSnapshot snapshot, long known,
      ReadOutcome bypass, long from, long to) {
    CachedBlock block = context.admission().pages(snapshot, known, bypass, from, to);
    // As it was before an append, the replica can be read no more unless it is known where it went.
    return block == null || bypass != null && block.movedReplica() == null ? null
        : read(rule, block, new ReadThrough(context.fills(), block, rule), from, to);
  }

  private ClientRead readReplica(RuleAccount rule, ReplicaSnapshot snapshot, ReadOutcome bypass,
      long from, long to) {
    if (bypass != null) {
      return stockRead(rule, snapshot, from, to, bypass);
    }
    if (!context.admission().admits(snapshot.key(), rule)) {
      return stockRead(rule, snapshot, from, to, ReadOutcome.MISS_NOT_ADMITTED);
    }
    String volume = context.fills().replicas().volumeOf(snapshot.key());
    ClientRead through = context.fills().waits().isMemory(volume)
        ? fillLater(volume, rule, snapshot, from, to) : readThrough(rule, snapshot, from, to);
    return through != null ? through
        : stockRead(rule, snapshot, from, to, ReadOutcome.MISS_ADMITTED);
  }

  /** @return a read from the OS page cache, after which what it has read is filled. */
  private ClientRead fillLater(String volume, RuleAccount rule, ReplicaSnapshot snapshot,
      long from, long to) {
    return ClientRead.ofReplica((read, outcome, end) -> {
      try {
        if (from >= 0 && from < end) {
          context.fills().waits().read(volume, end - from, read.replicaNanos());
          context.fills().fills().missed(FillRequest.missed(volume, snapshot, rule, from, end));
        }
      } catch (RuntimeException | Error e) {
        context.metrics().error(Operation.FILL_READ, e);
      }
      finished(read, outcome, end, rule);
    }, snapshot, from, to, ReadOutcome.MISS_ADMITTED);
  }

  /** @return null if the replica has changed meanwhile. */
  private ClientRead read(RuleAccount rule, CachedBlock block, ReadThrough missed, long from,
      long to) {
    SnapshotReader reader = new SnapshotReader(
        block, context.pages(), missed, context.fills().replicas(), missed.budget());
    if (!reader.holdReplica()) {
      reader.close();
      return null;
    }
    return ClientRead.ofPages(listener(rule), block.snapshot(), from, to, reader);
  }

  /**
   * @return a read that fills what it misses, which is all of it; null if that cannot be, or is not
   *     to be
   */
  private ClientRead readThrough(RuleAccount rule, ReplicaSnapshot snapshot, long from, long to) {
    if (from < 0 || from >= to || !context.admission().mayFill(snapshot.key())) {
      return null;
    }
    int page = Math.toIntExact(from / context.pageSize());
    boolean isAdmitted = context.admission().admits(snapshot.key(), rule, page);
    if (!isAdmitted && (to - 1) / context.pageSize() == page) {
      return null;
    }
    ReplicaFiles files = null;
    try {
      files = context.fills().replicas().open(snapshot);
      CachedBlock block = context.filler().enter(snapshot, files);
      if (block != null) {
        ReadThrough through = new ReadThrough(context.fills(), block, rule, files)
            .asked(block.layout().pageOf(from), isAdmitted);
        files = null;
        try {
          return read(rule, block, through, from, to);
        } catch (RuntimeException | Error e) {
          through.close();
          throw e;
        } finally {
          block.removeReader();
        }
      }
    } catch (IOException e) {
      if (context.fills().replicas().isCurrent(snapshot)) {
        context.metrics().error(Operation.FILL_READ, e);
      }
    } finally {
      IOUtils.closeStream(files);
    }
    return null;
  }

  private ClientRead stockRead(RuleAccount rule, ReplicaSnapshot snapshot, long from, long to,
      ReadOutcome outcome) {
    return ClientRead.ofReplica(listener(rule), snapshot, from, to, outcome);
  }

  private ClientRead.Listener listener(RuleAccount rule) {
    return rule == null ? withoutRule
        : (read, outcome, to) -> finished(read, outcome, to, rule);
  }

  private void finished(ClientRead read, ReadOutcome outcome, long to, RuleAccount rule) {
    try {
      if (rule != null) {
        rule.read(outcome);
      }
      context.metrics().read(outcome, read.bytesFromPages(), read.bytesFromReplica(to));
      read.reader().ifPresent(
          reader -> context.metrics().add(Event.BYTES_MEMORY, reader.bytesFromMemory()));
    } catch (RuntimeException | Error e) {
      context.metrics().error(Operation.LOOKUP, e);
    } finally {
      readsInProgress.decrement();
    }
  }

  @Override
  public long inProgress() {
    return readsInProgress.sum();
  }
}
