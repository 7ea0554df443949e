/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;

import io.hdfslocalcache.replay.text.Text;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** Deletes a cached file: its pages go, too. */
final class DeleteStep {

  private final DemoContext demo;

  DeleteStep(DemoContext demo) {
    this.demo = demo;
  }

  /**
   * Deletes a file.
   *
   * @throws IOException if the local cache does not do what it promises
   */
  void run(SourceFile file) throws IOException {
    List<LocatedBlock> located = demo.blocks(file);
    List<ExtendedBlock> blocks = located.stream().map(LocatedBlock::getBlock).toList();
    demo.readUntilCached(file, located.get(0));
    demo.progress().say("Delete %s", file);
    demo.progress().say("  before         %s, %s on the SSD", Text.count(blocks.size(), "block"),
        Text.count(demo.pages().count(blocks), "page"));
    demo.hdfs().delete(file.path(), false);
    long millis = demo.awaitNoPages(blocks);
    demo.progress().say("  after          no page left after %s ms (the NameNode tells the "
        + "DataNode with a heartbeat)", Text.count(millis));
    DemoContext.expect(isGone(file), file + " can still be opened");
    demo.progress().say("  next read      no such file");
  }

  private boolean isGone(SourceFile file) throws IOException {
    try {
      demo.hdfs().open(file.path()).close();
      return false;
    } catch (FileNotFoundException e) {
      return true;
    }
  }
}
