/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * Traces made up: as many reads of as many blocks, as unevenly spread, as on a host of which no
 * more than these numbers is known. The same numbers come from very different worlds, so there are
 * two {@linkplain io.hdfslocalcache.replay.generate.Plan.Kind kinds}.
 */
package io.hdfslocalcache.replay.generate;
