/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.util.List;

import io.hdfslocalcache.plugin.rules.Pins.PinStatus;

/**
 * The paths pinned on one DataNode.
 *
 * @param lookedUp whether the NameNode was asked for their blocks since the rules changed
 * @param notFilling why no page is written now, to any SSD or to one; empty if pages are
 * @param pins the longest path first
 */
public record PinsView(boolean lookedUp, String notFilling, List<PinStatus> pins) {
}
