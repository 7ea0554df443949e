/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.util.List;

import io.hdfslocalcache.plugin.rules.Pins.PinStatus;

/**
 * The paths pinned on one DataNode.
 *
 * @param lookedUp whether a NameNode listed their blocks since the rules changed
 * @param notListed namespaces whose NameNodes did not list all blocks when they were last asked
 * @param notFilling why no page is written now, to any SSD or to one; empty if pages are
 * @param tooMuch that the quotas are more than the capacity; empty if they are not
 * @param doubt that saved pins may not be known, or not be found by a restart, and why; empty if neither
 * @param pins the longest path first
 */
public record PinsView(boolean lookedUp, List<String> notListed, String notFilling, String tooMuch,
    String doubt, List<PinStatus> pins) {
}
