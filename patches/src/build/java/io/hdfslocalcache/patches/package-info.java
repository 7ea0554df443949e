/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
/**
 * The tool that makes the patched sources and the content of the drop-in jar: it checks every
 * series, verifies the released artifacts against the lock file, applies one series exactly and
 * unpacks the released classes except those that will be compiled again. Start reading at
 * {@link io.hdfslocalcache.patches.PatchBuild}.
 */
package io.hdfslocalcache.patches;
