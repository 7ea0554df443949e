/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.block;

import org.apache.hadoop.io.IOUtils;

/** An open replica that several readers share; closed when the last of its users releases it. */
public final class SharedReplicaFiles {

  private final ReplicaFiles files;
  private final UseCount users = new UseCount();

  /** Takes over the files, for one user. */
  public SharedReplicaFiles(ReplicaFiles files) {
    this.files = files;
  }

  /** @return the files. */
  public ReplicaFiles files() {
    return files;
  }

  /** Adds a user. @return false if the files are closed already. */
  public boolean retain() {
    return users.retain();
  }

  /** Removes a user. */
  public void release() {
    if (users.release()) {
      IOUtils.closeStream(files);
    }
  }
}
