/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

import io.hdfslocalcache.replay.text.Text;
import org.apache.commons.math3.stat.StatUtils;

/**
 * What one setting did on the DataNodes of a fleet. Shares are from 0 to 1.
 *
 * @param name what was simulated
 * @param order in which order readers got the replicas of a block, such as "affinity 2"; empty if
 *     the DataNodes' traces were played apart
 * @param x threshold of the limiter, or a hyphen
 * @param y window of the limiter, or a hyphen
 * @param pageSize bytes of data in a page
 * @param capacity bytes that pages may take on the SSD of each DataNode
 * @param dataNodes what each DataNode did; one without reads is left out
 * @param total all together
 * @param copies on how many SSDs a page is at the end, in the mean of the pages that are on any; -1
 *     if the DataNodes' traces do not tell, because they were played apart
 * @param spanOffload offload of all DataNodes together in equal spans of the cluster's trace; -1 if
 *     nothing was read in it; empty if the DataNodes' traces were played apart
 */
public record FleetResult(String name, String order, String x, String y, int pageSize,
    long capacity, List<DataNode> dataNodes, DataNode total, double copies, double[] spanOffload) {

  private static final String ALL = "all";
  private static final double HOURS_PER_DAY = 24;

  /**
   * What a DataNode did.
   *
   * @param name its name
   * @param hours how long its trace is; of several: the longest
   * @param reads reads
   * @param bytes bytes read
   * @param offload share of these bytes that came from the SSD
   * @param bytesWritten bytes written to the SSD, the first filling included
   * @param hddSeconds seconds that the heads of its HDDs were busy
   * @param hddSecondsWithout the same without a local cache
   */
  public record DataNode(String name, double hours, long reads, long bytes, double offload,
      long bytesWritten, double hddSeconds, double hddSecondsWithout) {

    /** @return bytes written to the SSD in a day. */
    public double writtenPerDay() {
      return bytesWritten / hours * HOURS_PER_DAY;
    }

    /** @return bytes read in an hour. */
    public double bytesPerHour() {
      return bytes / hours;
    }

    /** @return share of the HDDs' time that was saved. */
    public double hddTimeSaved() {
      return hddSecondsWithout == 0 ? 0 : 1 - hddSeconds / hddSecondsWithout;
    }

    private static DataNode sum(List<DataNode> all) {
      long bytes = all.stream().mapToLong(DataNode::bytes).sum();
      double fromSsds = all.stream().mapToDouble(each -> each.offload * each.bytes).sum();
      return new DataNode(ALL, all.stream().mapToDouble(DataNode::hours).max().orElse(0),
          all.stream().mapToLong(DataNode::reads).sum(), bytes, bytes == 0 ? 0 : fromSsds / bytes,
          all.stream().mapToLong(DataNode::bytesWritten).sum(),
          all.stream().mapToDouble(DataNode::hddSeconds).sum(),
          all.stream().mapToDouble(DataNode::hddSecondsWithout).sum());
    }
  }

  /** @return what a setting did on one DataNode. */
  public static FleetResult of(String dataNode, Result result) {
    DataNode one = new DataNode(dataNode, result.spanHours() * result.spanOffload().length,
        result.reads(), result.bytes(), result.offload(), result.bytesWritten(),
        result.load().seconds(), result.loadWithout().seconds());
    return new FleetResult(result.name(), "", result.x(), result.y(), result.pageSize(),
        result.capacity(), List.of(one), one, -1, new double[0]);
  }

  /** @return what one setting did on all DataNodes. @param each what it did on some; not empty */
  public static FleetResult join(List<FleetResult> each) {
    FleetResult any = each.get(0);
    List<DataNode> all = new ArrayList<>();
    each.forEach(some -> all.addAll(some.dataNodes));
    return new FleetResult(any.name, any.order, any.x, any.y, any.pageSize, any.capacity, all,
        DataNode.sum(all), any.copies, any.spanOffload);
  }

  /** @return the same, with what is known if all DataNodes were played from one trace. */
  FleetResult ofCluster(String orderOfReplicas, double copiesPerPage, double[] offload) {
    return new FleetResult(name, orderOfReplicas, x, y, pageSize, capacity, dataNodes, total,
        copiesPerPage, offload);
  }

  /** @return what was simulated, and the order of replicas. */
  public String title() {
    return order.isEmpty() ? name : name + ", " + order;
  }

  /** @return bytes read from a DataNode in an hour, as multiple of the mean of all. */
  public double load(DataNode dataNode) {
    double mean = dataNodes.stream().mapToDouble(DataNode::bytesPerHour).average().orElse(0);
    return dataNode.bytesPerHour() / mean;
  }

  /** @return for each DataNode that stands out, and each figure in which it does, a sentence. */
  public List<String> standingOut() {
    List<String> found = new ArrayList<>();
    new Figure("offload", DataNode::offload, Text::percent, 0.05, false).addTo(found, dataNodes);
    new Figure("bytes read an hour", DataNode::bytesPerHour,
        bytes -> Text.bytes(Math.round(bytes)), 0.2, true).addTo(found, dataNodes);
    new Figure("bytes written a day", DataNode::writtenPerDay,
        bytes -> Text.bytes(Math.round(bytes)), 0.2, true).addTo(found, dataNodes);
    return found;
  }

  /**
   * A figure in which DataNodes may stand out: by their modified z-score (Iglewicz and Hoaglin,
   * 1993), if the difference from the median is worth telling, too.
   *
   * @param worth the least difference that is
   * @param isRelative whether that is a share of the median
   */
  private record Figure(String title, ToDoubleFunction<DataNode> value,
      DoubleFunction<String> text, double worth, boolean isRelative) {

    private static final double CUTOFF = 3.5;
    private static final double DEVIATIONS_PER_SIGMA = 0.6745;
    private static final double MIDDLE = 50;

    void addTo(List<String> found, List<DataNode> dataNodes) {
      double[] values = dataNodes.stream().mapToDouble(value).toArray();
      double median = StatUtils.percentile(values, MIDDLE);
      double[] deviations = Arrays.stream(values).map(each -> Math.abs(each - median)).toArray();
      double far = Math.max(CUTOFF / DEVIATIONS_PER_SIGMA
          * StatUtils.percentile(deviations, MIDDLE), isRelative ? worth * median : worth);
      for (int i = 0; i < values.length; i++) {
        if (deviations[i] > far) {
          found.add(dataNodes.get(i).name() + ": " + title + " " + text.apply(values[i])
              + ", median " + text.apply(median));
        }
      }
    }
  }
}
