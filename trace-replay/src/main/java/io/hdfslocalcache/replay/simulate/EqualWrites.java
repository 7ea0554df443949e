/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import io.hdfslocalcache.replay.text.Text;

/**
 * The best possible with a write budget and knowledge of the future: the best times to hold each
 * part of each page, with total writes within the budget and mean space within the capacity.
 *
 * <p>Both constraints have a price: for a byte written, and for a byte held for a millisecond. With
 * given prices, the best for each part is found independently, in one pass over its reads. The
 * prices are those that just use up writes and space. A byte served is worth
 * 1. At a single moment more than the capacity may be held, and bytes may be written before they
 * are earned: so no local cache has a higher offload, up to the precision of the prices. If many
 * parts are worth exactly a price, only as many are written and held as the constraints allow: some
 * pages have a lower price.
 */
final class EqualWrites extends Simulation {

  private static final double DAY_MILLIS = 86_400_000;
  /** Maximum steps of the bisection of a price. */
  private static final int STEPS = 10;

  private final double mayWrite;
  private final double mayHold;
  /** The places of the trace, page by page, and where those of each page begin. */
  private final int[] places;
  private final int[] firsts;
  private final int[] millis;
  private final int[] from;
  private final int[] to;
  /** Prices that meet both constraints, and lower ones for some pages. */
  private Prices prices;
  private Prices tooLow;
  private double tooLowShare;
  /** Total costs of the best at the present prices. */
  private double written;
  private double held;
  /** By place: parts cached when it is read, and parts newly stored. */
  private final int[] found;
  private final int[] filled;
  /** By page: parts that are always read together are planned together. */
  private final int[][] groups;
  private final Parts parts;

  /**
   * The prices of the best.
   *
   * @param write for a byte written
   * @param lowWrite a lower one, with which too much is written
   * @param lowShare share of the pages that have it
   * @param hold for a byte held for a millisecond
   */
  private record Prices(double write, double lowWrite, double lowShare, double hold) {

    double ofWrite(SplittableRandom random) {
      return random.nextDouble() < lowShare ? lowWrite : write;
    }
  }

  /** Prepares a run of a setting with a write budget. @param disk the HDDs */
  EqualWrites(Setting setting, PageTrace trace, Disk disk) {
    super(setting, "possible with " + setting.limiter().title(), trace, disk);
    this.mayWrite = setting.capacity() + perDay(setting) * trace.spanMillis() / DAY_MILLIS;
    this.mayHold = (double) setting.capacity() * Math.max(1, trace.spanMillis());
    int all = trace.accesses();
    this.millis = new int[all];
    this.from = new int[all];
    this.to = new int[all];
    this.found = new int[all];
    this.filled = new int[all];
    this.places = new int[all];
    this.firsts = new int[trace.pages() + 1];
    layOut();
    this.groups = new int[trace.pages()][];
    Arrays.setAll(groups, this::groups);
    this.parts = new Parts(mostReads());
    findPrices();
    plan();
  }

  private static double perDay(Setting setting) {
    String budget = setting.limiter().keys().get(WriteBudgetRateLimit.BUDGET_KEY);
    return budget == null ? setting.capacity() : Text.parseBytes(budget);
  }

  private void layOut() {
    for (int read = 0; read < trace.reads(); read++) {
      for (int place = trace.first(read); place < trace.first(read + 1); place++) {
        millis[place] = (int) Math.min(Integer.MAX_VALUE, trace.millis(read));
        from[place] = trace.from(read, place);
        to[place] = trace.to(read, place);
        firsts[trace.page(place) + 1]++;
      }
    }
    for (int page = 0; page < trace.pages(); page++) {
      firsts[page + 1] += firsts[page];
    }
    int[] next = firsts.clone();
    for (int place = 0; place < places.length; place++) {
      places[next[trace.page(place)]++] = place;
    }
  }

  private int[] groups(int page) {
    int[] all = {trace.layout().partsOf(0, trace.dataBytes(page))};
    for (int i = firsts[page]; i < firsts[page + 1]; i++) {
      int read = trace.layout().partsOf(from[places[i]], to[places[i]]);
      all = Arrays.stream(all).flatMap(group -> IntStream.of(group & read, group & ~read))
          .filter(group -> group != 0).toArray();
    }
    return all;
  }

  private int mostReads() {
    int most = 0;
    for (int page = 0; page < trace.pages(); page++) {
      most = Math.max(most, firsts[page + 1] - firsts[page]);
    }
    return most;
  }

  /** Both are 0 if everything worth a write fits. */
  private void findPrices() {
    prices = withWritePrice(0);
    tooLow = prices;
    if (held <= mayHold) {
      return;
    }
    // To hold a byte for a minute is never worth more than to serve it in each millisecond.
    double low = 1.0 / Integer.MAX_VALUE / (1 << 10);
    double high = 1;
    double heldTooLow = held;
    for (int i = 0; i < STEPS + STEPS / 2; i++) {
      double hold = Math.sqrt(low * high);
      Prices tried = withWritePrice(hold);
      if (held > mayHold) {
        low = hold;
        tooLow = tried;
        heldTooLow = held;
      } else {
        high = hold;
        prices = tried;
      }
    }
    if (prices.hold() != high) {
      prices = withWritePrice(high);
    }
    cost(prices);
    tooLowShare = (mayHold - held) / (heldTooLow - held);
  }

  /** Finds the write prices for a holding price, and the space held with them. */
  private Prices withWritePrice(double hold) {
    cost(new Prices(0, 0, 0, hold));
    if (written <= mayWrite) {
      return new Prices(0, 0, 0, hold);
    }
    double low = 1.0 / (1 << 10);
    double high = 1 << 20;
    double writtenTooMuch = written;
    double heldTooLow = held;
    for (int i = 0; i < STEPS; i++) {
      double write = Math.sqrt(low * high);
      cost(new Prices(write, 0, 0, hold));
      if (written > mayWrite) {
        low = write;
        writtenTooMuch = written;
        heldTooLow = held;
      } else {
        high = write;
      }
    }
    cost(new Prices(high, 0, 0, hold));
    double lowShare = (mayWrite - written) / (writtenTooMuch - written);
    held += lowShare * (heldTooLow - held);
    return new Prices(high, low, lowShare, hold);
  }

  /** Computes writes and space if every page has the same prices, the higher one for a write. */
  private void cost(Prices all) {
    written = 0;
    held = 0;
    for (int page = 0; page < trace.pages(); page++) {
      for (int together : groups[page]) {
        parts.plan(page, together, all.write(), all.hold(), false);
      }
    }
  }

  /** Plans the best at the final prices, to be simulated. */
  private void plan() {
    SplittableRandom random = new SplittableRandom(1);
    for (int page = 0; page < trace.pages(); page++) {
      Prices own = random.nextDouble() < tooLowShare ? tooLow : prices;
      double write = own.ofWrite(random);
      for (int together : groups[page]) {
        parts.plan(page, together, write, own.hold(), true);
      }
    }
  }

  /** The best times to hold some parts of a page that are always read together. */
  private final class Parts {
    private final int[] reads;
    /** By read: whether the best with the parts after it had them before, and without. */
    private final boolean[] stays;
    private final boolean[] drops;

    Parts(int mostReads) {
      this.reads = new int[mostReads];
      this.stays = new boolean[mostReads];
      this.drops = new boolean[mostReads];
    }

    void plan(int page, int parts, double writePrice, double holdPrice, boolean isLast) {
      int n = 0;
      for (int i = firsts[page]; i < firsts[page + 1]; i++) {
        int place = places[i];
        if ((trace.layout().partsOf(from[place], to[place]) & parts) != 0) {
          reads[n++] = place;
        }
      }
      if (n < 2) {
        return;
      }
      int bytes = trace.space(page, parts);
      // Gain and costs so far of the best plan that ends with the parts, and without.
      double with = Double.NEGATIVE_INFINITY;
      double without = 0;
      double withWritten = 0;
      double withHeld = 0;
      double withoutWritten = 0;
      double withoutHeld = 0;
      for (int i = 0; i < n; i++) {
        int place = reads[i];
        double time = i == 0 ? 0 : (double) bytes * (millis[place] - millis[reads[i - 1]]);
        double stay = with - holdPrice * time
            + trace.layout().common(parts, from[place], to[place]);
        double fill = without - writePrice * bytes;
        stays[i] = stay >= fill;
        drops[i] = stay > without;
        double stayHeld = withHeld + time;
        double stayWritten = withWritten;
        with = Math.max(stay, fill);
        withWritten = stays[i] ? stayWritten : withoutWritten + bytes;
        withHeld = stays[i] ? stayHeld : withoutHeld;
        if (drops[i]) {
          without = stay;
          withoutWritten = stayWritten;
          withoutHeld = stayHeld;
        }
      }
      written += withoutWritten;
      held += withoutHeld;
      if (isLast) {
        mark(n, parts);
      }
    }

    /** Goes back from the end, where nothing is held. */
    private void mark(int n, int parts) {
      boolean isHeld = false;
      for (int i = n - 1; i >= 0; i--) {
        int place = reads[i];
        boolean wasHeld = isHeld ? stays[i] : drops[i];
        if (wasHeld) {
          found[place] |= parts;
        } else if (isHeld) {
          filled[place] |= parts;
        }
        isHeld = wasHeld;
      }
    }
  }

  @Override
  void readPage(int read, int place) {
    int page = trace.page(place);
    int wanted = trace.layout().partsOf(from[place], to[place]);
    int missing = wanted & ~found[place];
    if (found[place] != 0) {
      hit(trace.layout().common(found[place], from[place], to[place]), missing == 0);
    }
    if (missing != 0) {
      long start = trace.start(page);
      visit(Math.max(trace.start(page, missing), start + from[place]),
          Math.min(trace.end(page, missing), start + to[place]));
    }
    if (filled[place] != 0) {
      filled(filled[place], true, trace.space(page, filled[place]));
    }
  }
}
