/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.index.BlockFileId;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * Counts page files, {@code <ssd>/<datanode UUID>/LOCAL/<page size>/<bucket>/<block>/<page>}.
 * Believes the file system and nobody else.
 */
final class PagesOnSsd {

  private static final Path PAGES = Path.of("LOCAL");

  private final Path ssd;

  /** Looks below the directory that the DataNode is configured with. */
  PagesOnSsd(Path ssd) {
    this.ssd = ssd;
  }

  /** @return number of pages of all blocks. */
  int count() throws IOException {
    return count(page -> true);
  }

  /** @return number of pages of a block in the state that its generation stamp names. */
  int count(ExtendedBlock block) throws IOException {
    return count(List.of(block));
  }

  /** @return number of pages of several such blocks. */
  int count(Collection<ExtendedBlock> blocks) throws IOException {
    List<String> names = blocks.stream().map(PagesOnSsd::name).toList();
    return count(page -> {
      String name = page.getParent().getFileName().toString();
      return names.contains(name.substring(0, name.lastIndexOf('_')));
    });
  }

  /** @return what the name of the block's directory begins with; what follows tells replicas apart. */
  private static String name(ExtendedBlock block) {
    BlockKey key = new BlockKey(block.getBlockPoolId(), block.getBlockId());
    String name = BlockFileId.of(
        new ReplicaSnapshot(key, block.getGenerationStamp(), block.getNumBytes()),
        ReplicaIdentity.NONE);
    return name.substring(0, name.lastIndexOf('_'));
  }

  /** Pages come and go while they are counted: what is not there any more does not count. */
  private int count(Predicate<Path> wanted) throws IOException {
    AtomicInteger found = new AtomicInteger();
    Files.walkFileTree(ssd, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        if (isPage(ssd.relativize(file)) && wanted.test(file)) {
          found.incrementAndGet();
        }
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFileFailed(Path file, IOException e) {
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult postVisitDirectory(Path directory, IOException e) {
        return FileVisitResult.CONTINUE;
      }
    });
    return found.get();
  }

  private static boolean isPage(Path file) {
    return file.getNameCount() > 2 && file.getName(1).equals(PAGES);
  }
}
