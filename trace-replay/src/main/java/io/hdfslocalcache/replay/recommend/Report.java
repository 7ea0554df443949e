/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.recommend;

import java.io.IOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.harness.Chart.Axis;
import io.hdfslocalcache.harness.Html;
import io.hdfslocalcache.replay.recommend.Recommender.Recommendation;
import io.hdfslocalcache.replay.recommend.Recommender.Wish;
import io.hdfslocalcache.replay.simulate.Disk.DiskLoad;
import io.hdfslocalcache.replay.simulate.Result;
import io.hdfslocalcache.replay.stat.TraceStat;
import io.hdfslocalcache.replay.text.Text;

/** A recommendation as a single file of HTML, for people who decide. It loads nothing. */
public final class Report {

  /** For how long makers of SSDs promise the writes that they allow in a day. */
  private static final int PROMISED_YEARS = 5;
  /** Who looks further ahead replaces the host before. */
  private static final int MOST_YEARS = 20;
  /** So little more offload is none. */
  private static final double SAME_OFFLOAD = 0.001;
  private static final double DAY_HOURS = 24;

  private final Recommendation data;
  private final Charts charts;
  private final String fragment;
  private final String source;
  private final String host;
  private final StringBuilder html = new StringBuilder();

  /**
   * Makes a report.
   *
   * @param source where the trace came from
   * @param keys the recommended keys
   * @param host whose local cache it is to be, in words
   */
  public Report(Recommendation data, String source, Map<String, String> keys, String host) {
    this.data = data;
    this.charts = new Charts(data);
    this.source = source;
    this.host = host;
    this.fragment = SiteFragment.xml(keys);
  }

  /** @return the file. */
  public String html() throws IOException {
    html.setLength(0);
    html.append(Html.head("Local cache for " + Html.escape(host)));
    summary();
    figures();
    fragment();
    tables();
    method();
    return html.append(Html.foot()).toString();
  }

  private void append(String format, Object... args) {
    html.append(Text.format(format, args));
  }

  private String drives(Result result) {
    return Text.format("%.2f", data.wish().drivesPerDay(result));
  }

  private void summary() {
    Result chosen = data.chosen();
    Wish wish = data.wish();
    append("<h1>A local cache of %s for %s</h1>%n", Text.bytes(wish.ssdBytes()),
        Html.escape(host));
    append("<p class=\"lead\">%s of the bytes that clients read would come from the SSD instead of "
        + "the HDDs, whose heads would be busy %s less.</p>%n",
        Text.percent(chosen.offload()), Text.percent(chosen.diskTimeSaved()));
    html.append("<dl class=\"figures\">\n");
    figure(Text.percent(chosen.offload()), "offload: bytes from the SSD");
    figure(Text.percent(chosen.requestHitRate()), "reads from the SSD alone");
    figure(Text.percent(chosen.reuseRate()), "reuse: hits among reads of admitted blocks");
    figure(drives(chosen), Text.format("writes of the whole SSD a day, its first filling "
        + "included; %s are allowed", Axis.text(wish.drivesPerDay())));
    figure(years(chosen), Text.format("life of the SSD, if its maker promises %s writes a day for "
        + "%d years", Axis.text(wish.drivesPerDay()), PROMISED_YEARS));
    figure(Text.count(chosen.diskReadsSaved()), Text.format("HDD reads saved in %.1f hours",
        data.stat().hours()));
    figure(Text.bytes(chosen.heapBytes()), "of the DataNode's heap");
    html.append("</dl>\n");
    append("<p>The limiter itself keeps the writes within %s of the SSD a day, beside filling it "
        + "once. %s</p>%n", Axis.text(wish.drivesPerDay()), Html.escape(whyNotMore()));
  }

  /** @return how long the SSD lasts at the writes of a result, its first filling left out. */
  private String years(Result result) {
    Wish wish = data.wish();
    double again = Math.max(0, result.bytesWritten() - result.capacity())
        / (data.stat().hours() / DAY_HOURS) / wish.ssdBytes(result);
    double years = PROMISED_YEARS * wish.drivesPerDay() / again;
    return years > MOST_YEARS ? Text.format("more than %d years", MOST_YEARS)
        : Text.format("%.1f years", years);
  }

  /** @return why it is not the limiter that takes the most reads off the HDDs on this trace. */
  private String whyNotMore() {
    Result chosen = data.chosen();
    Result best = data.limiters().stream()
        .filter(tried -> !tried.limiter().equals(chosen.limiter()))
        .max(Comparator.comparingDouble(Result::offload)).orElseThrow();
    if (best.offload() <= chosen.offload() + SAME_OFFLOAD) {
      return "No limiter that was tried brings more offload on this SSD.";
    }
    String more = Text.format("The limiter %s with X = %s and Y = %s would bring an offload of %s, "
        + "but ", best.limiter(), best.x(), best.y(), Text.percent(best.offload()));
    return data.wish().drivesPerDay(best) > data.wish().drivesPerDay()
        ? more + Text.format("write the SSD %s times a day: it would last %s instead of %s.",
            drives(best), years(best), years(chosen))
        : more + "nothing would keep its writes within what the SSD endures when the reads change: "
            + "its threshold is fixed.";
  }

  private void figure(String value, String meaning) {
    append("<div><dt>%s</dt><dd>%s</dd></div>%n", Html.escape(meaning), Html.escape(value));
  }

  private void figures() {
    html.append("<div class=\"charts\">\n");
    chart("What a larger SSD would bring", charts.offloadBySize(), "Each size with the "
        + "recommended limiter, without limiter (LRU that admits all), and with foresight "
        + "(Belady's MIN on pages), which nothing real reaches.");
    chart("What the writes buy", charts.offloadByWrites(), "Each point is a threshold and a window "
        + "of the limiter. Left is easy on the SSD, up is easy on the HDDs.");
    chart("How it goes over time", charts.offloadOverTime(),
        "The local cache is empty at the beginning.");
    chart("What the HDDs do over time", charts.useOverTime(), Text.format("Of each hour, on "
        + "average of %s; above 100 %% they fall behind. In hour %d, the worst, they would be busy "
        + "%s of the time that they are without a local cache.",
        Text.count(data.disk().count(), "HDD"), data.chosen().worstHour(),
        Text.percent(data.chosen().worstHourDiskTime())));
    chart("What readers wait for the HDDs", charts.waitOverTime(), Text.format("In each %s. "
        + "A read from the SSD alone waits 0 s. %s", Text.count(
        data.chosen().load().slotMinutes(), "minute"), backlog()));
    chart("Why it works: few blocks draw most reads", charts.skew(), Text.format(
        "The top %s blocks of an hour draw %s of its reads.",
        Text.count(data.stat().top().blocks()), Text.percent(data.stat().top().reads())));
    html.append("</div>\n");
  }

  private String backlog() {
    DiskLoad without = data.chosen().loadWithout();
    DiskLoad with = data.chosen().load();
    return Text.format("Minutes with a backlog: %s without a local cache, %s with it; minutes "
        + "until the longest is gone: %s and %s.", Text.count(without.backlogMinutes()),
        Text.count(with.backlogMinutes()), without.relief(), with.relief());
  }

  private void chart(String title, String svg, String caption) {
    append("<figure><h2>%s</h2>%n", Html.escape(title));
    html.append(svg);
    append("<figcaption>%s</figcaption></figure>%n", Html.escape(caption));
  }

  private void fragment() {
    append("<h2>For hdfs-site.xml</h2>%n<pre>%s</pre>%n", Html.escape(fragment));
  }

  private void tables() {
    table("Sizes of the SSD, with the recommended limiter", data.sizes());
    table("Limiters, on this SSD", data.limiters());
    table("Page sizes, with the recommended limiter", data.pageSizes());
    table("Sizes, without limiter", data.admitAll());
    table("Sizes, with foresight", data.clairvoyant());
  }

  private void table(String title, List<Result> results) {
    append("<h2>%s</h2>%n<div class=\"scroll\"><table><thead><tr><th>limiter</th>"
        + "<th>pages take</th><th>page</th>"
        + "<th>X</th><th>Y</th><th>offload</th><th>misses (bytes)</th><th>reads from SSD</th>"
        + "<th>reuse</th><th>written a day</th><th>times the SSD</th><th>evicted unread</th>"
        + "<th>HDD reads saved</th><th>HDD time saved</th>"
        + "<th>HDD time in the worst hour</th><th>minutes to relief</th>"
        + "<th>heap</th></tr></thead><tbody>%n",
        Html.escape(title));
    results.forEach(this::row);
    html.append("</tbody></table></div>\n");
  }

  private void row(Result r) {
    String mark = r.capacity() == data.chosen().capacity()
        && r.limiter().equals(data.chosen().limiter()) && r.x().equals(data.chosen().x())
        && r.y().equals(data.chosen().y()) && r.pageSize() == data.chosen().pageSize()
        ? " class=\"chosen\"" : "";
    html.append("<tr").append(mark).append('>');
    for (String cell : List.of(r.limiter(), Text.bytes(r.capacity()),
        Text.bytes(r.pageSize()), r.x(), r.y(), Text.percent(r.offload()),
        Text.percent(1 - r.offload()), Text.percent(r.requestHitRate()),
        Text.percent(r.reuseRate()), Text.bytes(Math.round(r.bytesWrittenPerDay())), drives(r),
        r.evictions() == 0 ? "-" : Text.percent((double) r.evictionsWithoutRead() / r.evictions()),
        Text.count(r.diskReadsSaved()), Text.format("%s s (%s)",
            Text.count(Math.round(r.diskSecondsSaved())), Text.percent(r.diskTimeSaved())),
        Text.format("%s (hour %d)", Text.percent(r.worstHourDiskTime()), r.worstHour()),
        r.load().relief(), Text.bytes(r.heapBytes()))) {
      append("<td>%s</td>", Html.escape(cell));
    }
    html.append("</tr>\n");
  }

  private void method() {
    TraceStat stat = data.stat();
    append("<h2>Where this comes from</h2>%n<p>Trace: %s, %s, %.1f hours: %s of %s, %s of %s on "
        + "average; %s read. Zipf exponent %.2f.</p>%n", Html.escape(source),
        Instant.ofEpochMilli(stat.start()), stat.hours(), Text.count(stat.reads(), "read"),
        Text.bytes(Math.round(stat.sizes().mean())), Text.count(stat.blocksRead(), "block"),
        Text.bytes(Math.round(stat.averageBlockBytes())), Text.bytes(stat.readBytes()),
        stat.zipfExponent());
    html.append("<p>The trace was played to the rate limiter that runs in the DataNode, and to "
        + "the pages of a local cache with LRU eviction. Pages may take 90 % of the SSD. A page "
        + "takes the space of the parts of it that were read. ");
    append("The blocks are on %s. One is busy %s ms for each visit, and then reads %s MB/s; visits "
        + "queue. ", Text.count(data.disk().count(), "HDD"), Axis.text(data.disk().seekMillis()),
        Axis.text(data.disk().bytesPerSecond() / 1e6));
    html.append("A read that closes early counts as far as the DataNode had sent it. "
        + "The first filling counts among the writes, so a short trace "
        + "shows more of them a day than a long one. Tomorrow's reads may differ from those of "
        + "this trace.</p>\n");
  }
}
