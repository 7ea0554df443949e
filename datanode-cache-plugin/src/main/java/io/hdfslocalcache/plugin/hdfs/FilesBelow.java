/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NoSuchElementException;

import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * The files below a path, with their blocks, in the order of {@link FileSystem#listFiles}. A
 * directory that is deleted or renamed while it is listed ends no more than itself: there, it would
 * end everything.
 */
public final class FilesBelow implements RemoteIterator<LocatedFileStatus> {

  private final FileSystem fs;
  /** The directories that are being listed, the deepest first. */
  private final Deque<RemoteIterator<LocatedFileStatus>> open = new ArrayDeque<>();
  private LocatedFileStatus next;

  /**
   * Begins to list.
   *
   * @param root a directory or a file
   * @throws FileNotFoundException if there is no such path
   */
  public FilesBelow(FileSystem fs, Path root) throws IOException {
    this.fs = fs;
    open.push(fs.listLocatedStatus(root));
  }

  @Override
  public boolean hasNext() throws IOException {
    while (next == null && !open.isEmpty()) {
      LocatedFileStatus found = nextOf(open.peek());
      if (found == null) {
        open.pop();
      } else if (found.isDirectory()) {
        begin(found.getPath());
      } else {
        next = found;
      }
    }
    return next != null;
  }

  /** @return null at the end, or if the directory is gone. */
  private static LocatedFileStatus nextOf(RemoteIterator<LocatedFileStatus> directory)
      throws IOException {
    try {
      return directory.hasNext() ? directory.next() : null;
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  private void begin(Path directory) throws IOException {
    try {
      open.push(fs.listLocatedStatus(directory));
    } catch (FileNotFoundException e) {
      // Gone since it was found.
    }
  }

  @Override
  public LocatedFileStatus next() throws IOException {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    LocatedFileStatus found = next;
    next = null;
    return found;
  }
}
