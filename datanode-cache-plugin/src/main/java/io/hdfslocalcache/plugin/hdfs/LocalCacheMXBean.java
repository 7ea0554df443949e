/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.util.List;

import io.hdfslocalcache.plugin.admin.Condition;
import io.hdfslocalcache.plugin.metrics.LastHour;
import io.hdfslocalcache.plugin.metrics.RecentEvents;
import io.hdfslocalcache.plugin.ssd.SsdReport;

/**
 * State of the local cache on the DataNode's {@code /jmx} page, as {@code
 * Hadoop:service=DataNode,name=LocalCache}. The counters are in the metrics.
 */
public interface LocalCacheMXBean {

  /** @return whether the local cache handles reads; in a dry run, whether it counts them. */
  boolean isOn();

  /** @return whether this is a dry run: nothing is served from an SSD. */
  boolean isDryRun();

  /** @return the condition of the local cache. */
  ConditionStatus getCondition();

  /** @return the SSDs, unopened ones last; empty before the storage is ready. */
  List<SsdStatus> getDirectories();

  /** @return figures of each minute of the last hour, the oldest first. */
  List<Minute> getLastHour();

  /** @return the last ten events of the local cache, the newest first. */
  List<Happened> getLastEvents();

  /** Bean form of {@link Condition}. */
  final class ConditionStatus {

    private final Condition condition;

    ConditionStatus(Condition condition) {
      this.condition = condition;
    }

    /** @return one of the words listed in {@code docs/commands.md}. */
    public String getName() {
      return condition.name();
    }

    /** @return the reason or the progress; may be empty. */
    public String getDetail() {
      return condition.detail();
    }

    /** @return whether the local cache works. */
    public boolean isNormal() {
      return condition.isNormal();
    }
  }

  /** Bean form of a sample of {@link LastHour}. */
  final class Minute {

    private final LastHour.Sample sample;

    Minute(LastHour.Sample sample) {
      this.sample = sample;
    }

    /** @return when, in milliseconds since 1970. */
    public long getMillis() {
      return sample.millis();
    }

    /** @return bytes sent to clients from SSDs since the DataNode's start. */
    public long getSsdBytes() {
      return sample.ssdBytes();
    }

    /** @return the same from memory. */
    public long getMemoryBytes() {
      return sample.memoryBytes();
    }

    /** @return the same from data volumes. */
    public long getVolumeBytes() {
      return sample.volumeBytes();
    }

    /** @return bytes of page files written since the DataNode's start. */
    public long getWrittenBytes() {
      return sample.writtenBytes();
    }

    /** @return bytes of page files. */
    public long getUsedBytes() {
      return sample.usedBytes();
    }

    /** @return capacity for page files in bytes. */
    public long getCapacityBytes() {
      return sample.capacityBytes();
    }

    /** @return number of SSDs. */
    public int getSsds() {
      return sample.ssds();
    }

    /** @return number of SSDs that were not normal. */
    public int getNotNormal() {
      return sample.notNormal();
    }
  }

  /** Bean form of an event of {@link RecentEvents}. */
  final class Happened {

    private final RecentEvents.Happened happened;

    Happened(RecentEvents.Happened happened) {
      this.happened = happened;
    }

    /** @return when, in milliseconds since 1970. */
    public long getMillis() {
      return happened.millis();
    }

    /** @return what happened, in the words of the log. */
    public String getText() {
      return happened.text();
    }
  }

  /** One SSD as {@link LocalCacheMXBean} shows it. */
  final class SsdStatus {

    private final SsdReport ssd;

    SsdStatus(SsdReport ssd) {
      this.ssd = ssd;
    }

    /** @return the directory as configured. */
    public String getPath() {
      return ssd.directory().toString();
    }

    /** @return NORMAL, DEGRADED, PROBING or DOWN. */
    public String getState() {
      return ssd.state().name();
    }

    /** @return why the state is not NORMAL; empty if it is. */
    public String getReason() {
      return ssd.reason();
    }

    /** @return bytes that page files take. */
    public long getUsedBytes() {
      return ssd.usedBytes();
    }

    /** @return number of cached pages. */
    public long getPages() {
      return ssd.pages();
    }

    /** @return bytes that page files may take. */
    public long getCapacityBytes() {
      return ssd.capacityBytes();
    }

    /** @return bytes that the local cache has written to the SSD since its first use. */
    public long getWrittenBytes() {
      return ssd.wear().writtenBytes();
    }

    /** @return bytes that may be written in the SSD's life; 0 if that is not known. */
    public long getEnduranceBytes() {
      return ssd.wear().enduranceBytes();
    }

    /** @return days that the SSD lasts at the last day's write rate; -1 if not known. */
    public long getLifeDays() {
      return ssd.wear().lifeDays();
    }
  }
}
