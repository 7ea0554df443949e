/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.util.List;

import io.hdfslocalcache.plugin.metrics.RuleStatus;

/**
 * The operator's rules as one DataNode has them.
 *
 * @param file where they were read; empty if there are none
 * @param blocks blocks of this DataNode that are known to be on a path of a rule
 * @param lookedUp whether the NameNode has been asked for these blocks since the rules have changed
 * @param rules in the order of the file
 */
public record RulesView(String file, long blocks, boolean lookedUp, List<RuleStatus> rules) {
}
