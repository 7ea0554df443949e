/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.dryrun;

import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.rules.RuleAccount;

/**
 * A client's read when it begins, the same for all ghosts.
 *
 * @param isClient false if the reader is another DataNode
 * @param rule the account of the operator's rule for it, or null
 * @param snapshot the replica as the DataNode's map shows it
 * @param known the generation stamp that the client knows
 * @param bypass why this replica cannot be cached, or null if it can
 * @param from first byte asked for
 * @param to byte after the last one asked for
 */
record BegunRead(boolean isClient, RuleAccount rule, ReplicaSnapshot snapshot, long known,
    ReadOutcome bypass, long from, long to) {
}
