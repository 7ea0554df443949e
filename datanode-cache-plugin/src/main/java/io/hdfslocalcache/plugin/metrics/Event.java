/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

/** The counters of the local cache, except for reads by outcome. */
public enum Event {
  BYTES_HIT("BytesHit", "Bytes sent to clients from the SSD or from pages in memory"),
  BYTES_MEMORY("BytesMemory", "Of BytesHit, bytes that were in the memory tier"),
  BYTES_MISS("BytesMiss", "Bytes sent to clients from a data volume because they were not cached"),
  BYTES_BYPASS("BytesBypass", "Bytes sent to clients in reads that bypassed the local cache"),
  SLOW_READS_HDD("SlowReadsHdd",
      "Reads of a packet's data from a data volume that took longer than the DataNode's threshold "
      + "for slow I/O"),
  SLOW_READS_SSD("SlowReadsSsd",
      "Reads of a page's data from an SSD that took longer than the DataNode's threshold for slow "
      + "I/O"),
  READ_NANOS_HDD("ReadNanosHdd",
      "Nanoseconds for which clients' reads waited for data volumes"),
  READ_NANOS_SSD("ReadNanosSsd", "Nanoseconds for which clients' reads waited for SSDs"),
  FILLS("Fills", "Pages written to an SSD, completely or in part"),
  FILL_BYTES("FillBytes", "Bytes of block data copied to an SSD"),
  FILL_WRITTEN_BYTES("FillWrittenBytes", "Bytes of page files written to an SSD"),
  FILL_WAIT_MILLIS("FillWaitMillis", "Milliseconds that background fills waited for fill.rate"),
  FILLS_DROPPED_QUEUE_FULL("FillsDroppedQueueFull",
      "Fills dropped: the SSD or fill.rate does not keep up"),
  FILLS_DROPPED_STALE("FillsDroppedStale", "Pages not filled: the replica changed meanwhile"),
  FILLS_DROPPED_UNSUPPORTED("FillsDroppedUnsupported",
      "Blocks not filled: without checksums, or with chunks larger than a page"),
  FILLS_DROPPED_NOT_PUBLISHED("FillsDroppedNotPublished",
      "Pages dropped: no room or write budget by then, or their file could not be renamed"),
  FILLS_DROPPED_NO_BUFFER("FillsDroppedNoBuffer",
      "Pages not filled: no direct memory for buffers"),
  READS_WITHOUT_BUFFER("ReadsWithoutBuffer",
      "Pages read from a data volume: no direct memory for buffers"),
  EVICTIONS("Evictions", "Pages removed from an SSD to make room"),
  EVICTED_WITHOUT_READ("EvictedWithoutRead",
      "Of Evictions, pages evicted without having been read"),
  INVALIDATED_BLOCKS("InvalidatedBlocks",
      "Cached blocks removed because their replica changed or lost a file, or by a command"),
  INVALIDATED_PAGES("InvalidatedPages", "Pages removed because their block changed, or by a command"),
  DAMAGED_PAGES("DamagedPages", "Pages dropped because their file was corrupt"),
  HEALTH_CHANGES("HealthChanges", "Changes of the state of an SSD"),
  RESTORED_PAGES("RestoredPages", "Pages restored after a restart of the DataNode"),
  RESTORE_DROPPED_STALE("RestoreDroppedStale",
      "Pages not restored: they were removed, or the DataNode no longer has their replica"),
  RESTORE_DROPPED_DAMAGED("RestoreDroppedDamaged",
      "Pages not restored: their file is corrupt"),
  RESTORE_DROPPED_NO_ROOM("RestoreDroppedNoRoom",
      "Pages not restored: the directory's capacity was reduced"),
  RESTORE_DROPPED_FOREIGN("RestoreDroppedForeign",
      "Files and directories removed while restoring because they are no pages"),
  TRACED_READS("TracedReads", "Client reads written to the trace"),
  TRACE_DROPPED_READS("TraceDroppedReads",
      "Client reads missing from the trace: its thread could not keep up"),
  RULES_LOADED("RulesLoaded", "Times changed rules came into force"),
  RULES_REFUSED("RulesRefused", "Times a changed rules file was refused"),
  RULES_LISTINGS_FAILED("RulesListingsFailed",
      "Times a NameNode could not be asked for the blocks of rules' paths"),
  RULES_LISTINGS_CUT("RulesListingsCut",
      "Times the paths of rules had too many blocks to remember"),
  SWITCHES("Switches", "Times the local cache was switched on or off");

  private final String metric;
  private final String description;

  Event(String metric, String description) {
    this.metric = metric;
    this.description = description;
  }

  /** @return name of the metric. */
  public String metric() {
    return metric;
  }

  /** @return what the metric means, with its unit. */
  public String description() {
    return description;
  }
}
