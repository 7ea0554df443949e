/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import io.hdfslocalcache.replay.demo.Demo.DemoOptions;
import io.hdfslocalcache.replay.operator.DataNodeMetrics.Counters;
import io.hdfslocalcache.replay.text.Text;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Appends to a cached file: what was cached is gone, the first read is right and a miss, and the
 * block comes back under its new generation stamp.
 */
final class AppendStep {

  private static final int APPENDED = 64 << 10;

  private final DemoContext demo;

  AppendStep(DemoContext demo) {
    this.demo = demo;
  }

  /**
   * Appends to a file whose last block has room; a full block stays as it is.
   *
   * @param files the most popular one first
   * @return the file as it is then; empty if there is no such file
   * @throws IOException if the local cache does not do what it promises
   */
  Optional<SourceFile> run(List<SourceFile> files) throws IOException {
    List<SourceFile> withRoom =
        files.stream().filter(file -> file.length() % DemoRun.BLOCK != 0).toList();
    if (withRoom.isEmpty()) {
      demo.progress().say("Append: left out, for the last block of every file is full");
      return Optional.empty();
    }
    SourceFile file = withRoom.stream()
        .filter(candidate -> candidate.length() % DemoRun.BLOCK > DemoOptions.PAGE)
        .findFirst().orElse(withRoom.get(0));
    return Optional.of(append(file));
  }

  private SourceFile append(SourceFile file) throws IOException {
    LocatedBlock before = lastBlock(file);
    demo.readUntilCached(file, before);
    demo.progress().say("Append to %s", file);
    demo.progress().say("  before         generation stamp %d, last block has %s on the SSD",
        stamp(before), pages(before));
    SourceFile grown = grow(file, (int) Math.min(APPENDED, DemoRun.BLOCK - before.getBlockSize()));
    LocatedBlock after = lastBlock(grown);
    long millis = demo.awaitNoPages(List.of(before.getBlock()));
    demo.progress().say("  after          generation stamp %d, no page of %d left after %d ms",
        stamp(after), stamp(before), millis);
    DemoContext.expect(stamp(after) > stamp(before), "the generation stamp did not grow");
    readAgain(grown, after);
    return grown;
  }

  private void readAgain(SourceFile grown, LocatedBlock after) throws IOException {
    Counters first = countedWhileReading(grown, after);
    say("first read", first);
    DemoContext.expect(first.bytesFromSsd() == 0, "the first read after an append was a hit");
    demo.readUntilCached(grown, after);
    demo.progress().say("  soon after     %s of %d on the SSD", pages(after), stamp(after));
    Counters next = countedWhileReading(grown, after);
    say("next read", next);
    DemoContext.expect(next.bytesFromDisk() == 0, "what is cached was read from the data disk");
  }

  private String pages(LocatedBlock block) throws IOException {
    return Text.count(demo.pages().count(block.getBlock()), "page");
  }

  private void say(String which, Counters read) {
    demo.progress().say("  %-14s right, %s from the SSD, %s from the data disk: a %s", which,
        Text.bytes(read.bytesFromSsd()), Text.bytes(read.bytesFromDisk()),
        read.bytesFromSsd() == 0 ? "miss" : "hit");
  }

  private Counters countedWhileReading(SourceFile file, LocatedBlock block) throws IOException {
    Counters before = demo.metrics().settled();
    demo.read(file, block);
    return demo.metrics().settled().since(before);
  }

  /** Appends the same bytes to the file in HDFS and to a copy of the local file. */
  private SourceFile grow(SourceFile file, int length) throws IOException {
    byte[] added = new byte[length];
    new Random(length).nextBytes(added);
    Path copy = Files.createDirectory(demo.directory().resolve("appended"))
        .resolve(file.local().getFileName());
    try (InputStream in = Files.newInputStream(file.local());
         OutputStream out = Files.newOutputStream(copy)) {
      in.transferTo(out);
      out.write(added);
    }
    try (OutputStream out = demo.hdfs().append(file.path())) {
      out.write(added);
    }
    return new SourceFile(file.inHdfs(), copy, file.length() + length);
  }

  private LocatedBlock lastBlock(SourceFile file) throws IOException {
    List<LocatedBlock> blocks = demo.blocks(file);
    return blocks.get(blocks.size() - 1);
  }

  private static long stamp(LocatedBlock block) {
    return block.getBlock().getGenerationStamp();
  }
}
