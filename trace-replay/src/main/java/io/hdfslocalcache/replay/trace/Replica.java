/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

/**
 * One version of a block. Pages of one version are of no use to readers of another, as in the
 * DataNode.
 *
 * @param blockPool the block pool; empty if the trace does not tell
 * @param blockId the block
 * @param generationStamp its version; 0 if the trace does not tell
 */
public record Replica(String blockPool, long blockId, long generationStamp) {
}
