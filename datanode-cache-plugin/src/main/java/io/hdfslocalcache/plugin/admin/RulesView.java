/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.util.List;
import java.util.Map;

import io.hdfslocalcache.plugin.metrics.RuleStatus;

/**
 * The operator's rules on one DataNode.
 *
 * @param file the rules file; empty if there are none
 * @param refusal why the rules of the file, as it is now, are not in force; empty if they are
 * @param blocks blocks of this DataNode that belong to a path of a rule
 * @param lookedUp whether a NameNode listed these blocks since the rules changed
 * @param notListed namespaces whose NameNodes did not list all blocks when they were last asked
 * @param rules in the order of the file, after the pins
 * @param pinned the path of each pin, by the rule's name
 * @param doubt that saved pins may not be known, or not be found by a restart, and why; empty if neither
 */
public record RulesView(String file, String refusal, long blocks, boolean lookedUp,
    List<String> notListed, List<RuleStatus> rules, Map<String, String> pinned, String doubt) {
}
