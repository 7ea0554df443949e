/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.util.List;

/**
 * One patch of a series.
 *
 * @param name path relative to the patches directory, as in the series
 */
record Patch(String name, PatchHeader header, List<FilePatch> files) {

  /** Tells whether it changes web pages, which are in no jar, and no source. */
  boolean isOfPage() {
    return files.stream().allMatch(file -> file.path().startsWith(SourceTree.PAGES));
  }

  /** Refuses a patch in the series of a Hadoop release that its own header does not name. */
  void checkAppliesTo(String version) throws PatchException {
    if (!List.of(header.get("Applies-To").split("[,\\s]+")).contains(version)) {
      throw new PatchException(name, "is in the series of Hadoop " + version
          + ", which its header field Applies-To does not name");
    }
  }
}
