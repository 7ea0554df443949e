/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.file;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import com.sun.nio.file.ExtendedOpenOption;
import io.hdfslocalcache.plugin.metrics.ErrorText;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageStore;
import io.hdfslocalcache.shaded.alluxio.exception.status.ResourceExhaustedException;
import io.hdfslocalcache.shaded.alluxio.file.ReadTargetBuffer;
import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The page files of one SSD, in Alluxio's directory layout
 * ({@code LOCAL/<page size>/<bucket>/<block>/<page>}), as the page store below Alluxio's index.
 *
 * <p>The index holds a lock of the page while it calls {@link #put} and {@link #get}, and other
 * pages share that lock. So neither moves a page's bytes: a page is {@link #prepare written} to a
 * temporary file before, and put only renames it; get only confirms that the page exists, and the
 * file is read afterwards. Bytes in a page's file are never rewritten; later parts are
 * {@link #extend written} into its holes.
 *
 * <p>Pages are written and read with direct I/O: device errors show at once, no dirty pages remain,
 * and no page is cached twice in memory.
 */
public class PageFiles implements PageStore {

  private static final Logger LOG = LoggerFactory.getLogger(PageFiles.class);
  private static final int MOVE_ATTEMPTS = 5;
  /** Those that were logged. An SSD may be opened every few seconds until it can be used. */
  private static final Set<Path> WITHOUT_DIRECT = ConcurrentHashMap.newKeySet();

  private final PagePaths paths;
  private final boolean direct;
  private final Consumer<PageId> onDelete;
  private final Runnable onMissing;
  private final BiConsumer<Operation, IOException> onFailure;
  private final ConcurrentHashMap<PageId, Path> prepared = new ConcurrentHashMap<>();
  /** Pages in Alluxio's index whose file could not be renamed. */
  private final Set<PageId> nameless = ConcurrentHashMap.newKeySet();
  /** Temporary files that will become pages or be deleted. */
  private final Set<Path> inWork = ConcurrentHashMap.newKeySet();
  private final UndeletedFiles undeleted;
  private final AtomicLong nextTemporary = new AtomicLong();

  /**
   * @param paths places of the files; the directories above the buckets exist
   * @param onDelete called for every removed page file
   * @param onMissing called when the file of a page is missing
   * @param onFailure called for every error; Alluxio, which would log each, is not told
   */
  public PageFiles(PagePaths paths, Consumer<PageId> onDelete, Runnable onMissing,
      BiConsumer<Operation, IOException> onFailure) throws IOException {
    this(paths, onDelete, onMissing, onFailure, TimeAndThreads.get()::nanoTime,
        isDirectPossible(paths.temporary()));
  }

  /**
   * The same.
   *
   * @param nanoClock a clock that only goes forward, in nanoseconds
   * @param direct whether to use direct I/O
   */
  protected PageFiles(PagePaths paths, Consumer<PageId> onDelete, Runnable onMissing,
      BiConsumer<Operation, IOException> onFailure, LongSupplier nanoClock, boolean direct) {
    this.paths = paths;
    this.onDelete = onDelete;
    this.onMissing = onMissing;
    this.onFailure = onFailure;
    this.undeleted =
        new UndeletedFiles(paths, inWork::contains,
            e -> onFailure.accept(Operation.PAGE_DELETE, e), nanoClock);
    this.direct = direct;
  }

  /**
   * Tests whether direct I/O is supported.
   *
   * @param directory for a test file
   * @throws IOException if no file can be created, written or read in any way
   */
  private static boolean isDirectPossible(Path directory) throws IOException {
    Path file = directory.resolve("direct-io");
    try {
      Files.deleteIfExists(file);
      tryOut(file, true);
      return true;
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(file);
      tryOut(file, false);
      if (WITHOUT_DIRECT.add(directory)) {
        LOG.info("Local cache: the pages in {} are read without direct I/O, so the OS page cache "
            + "may hold them, too: {}", directory, ErrorText.of(e));
      }
      return false;
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static void tryOut(Path file, boolean direct) throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(2 * PageLayout.ALIGNMENT)
        .alignedSlice(PageLayout.ALIGNMENT).limit(PageLayout.ALIGNMENT);
    try (FileChannel out = create(file, direct)) {
      out.write(block, PageLayout.ALIGNMENT);
    }
    try (FileChannel in = open(file, direct, StandardOpenOption.READ)) {
      if (in.read(block.clear().limit(PageLayout.ALIGNMENT), PageLayout.ALIGNMENT)
          != PageLayout.ALIGNMENT) {
        throw new IOException("bytes written to " + file + " are missing");
      }
    }
  }

  /** Creates a file that only this user can open. */
  private static FileChannel create(Path file, boolean direct) throws IOException {
    return ofDisk(() -> PrivateFiles.create(file,
        options(direct, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)));
  }

  private static FileChannel open(Path file, boolean direct, OpenOption how) throws IOException {
    return ofDisk(() -> FileChannel.open(file, options(direct, how)));
  }

  /** The JDK asks the file system for its block size, and hides a disk error while doing so. */
  private static FileChannel ofDisk(CallableRaisingIOE<FileChannel> opening) throws IOException {
    try {
      return opening.apply();
    } catch (UnsupportedOperationException e) {
      if (e.getCause() instanceof IOException cause) {
        throw new IOException(ErrorText.of(cause), cause);
      }
      throw e;
    }
  }

  private static Set<OpenOption> options(boolean direct, OpenOption... others) {
    Set<OpenOption> options = new HashSet<>(Set.of(others));
    if (direct) {
      options.add(ExtendedOpenOption.DIRECT);
    }
    return options;
  }

  /** @return the places of the files. */
  public PagePaths paths() {
    return paths;
  }

  /**
   * Writes the first parts of a page to a temporary file, from which {@link #put} takes it.
   *
   * @param slice whole parts
   * @param buffer of the slice, in direct memory and aligned for direct I/O
   */
  public void prepare(PageId id, PageSlice slice, ByteBuffer buffer) throws IOException {
    Path file = paths.temporary().resolve(String.valueOf(nextTemporary.incrementAndGet()));
    inWork.add(file);
    Path other;
    try {
      try (FileChannel out = create(file, direct)) {
        slice.move(buffer, (position, bytes) -> write(out, position, bytes));
      }
      lengthen(file, slice.layout().fileLength(slice.page(), slice.parts()));
      other = prepared.put(id, file);
    } catch (IOException | RuntimeException | Error e) {
      deleteTemporary(file);
      throw e;
    }
    if (other != null) {
      deleteTemporary(other);
    }
  }

  /**
   * Writes more parts into the holes of a page's file.
   *
   * @param parts the missing parts to write
   * @param all all parts of the page afterwards
   * @param buffer of the slice, in direct memory and aligned for direct I/O
   * @throws NoSuchFileException if the page has been evicted meanwhile
   */
  public void extend(PageId id, PageSlice slice, int parts, int all, ByteBuffer buffer)
      throws IOException {
    try (FileChannel out = open(paths.file(id), direct, StandardOpenOption.WRITE)) {
      slice.moveParts(parts, buffer, (position, bytes) -> write(out, position, bytes));
      // The length encodes the parts, so it is set last.
      out.truncate(slice.layout().fileLength(slice.page(), all));
    }
  }

  private static void write(FileChannel file, long position, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      position += file.write(bytes, position);
    }
  }

  /** Extends a file without writing to it. */
  private static void lengthen(Path file, int length) throws IOException {
    if (Files.size(file) < length) {
      if (file.getFileSystem() == FileSystems.getDefault()) {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
          open.setLength(length);
        }
      } else {
        // Channels have no other way.
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
          out.write(ByteBuffer.allocate(1), length - 1);
        }
      }
    }
  }

  /** Removes the temporary file, if {@link #put} did not take it. */
  public void discard(PageId id) throws IOException {
    Path file = prepared.remove(id);
    if (file != null) {
      deleteTemporary(file);
    }
  }

  private void deleteTemporary(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      undeleted.add(e);
    } finally {
      inWork.remove(file);
    }
  }

  @Override
  public void put(PageId id, ByteBuffer accountedFor, boolean isTemporary)
      throws ResourceExhaustedException, IOException {
    Path file = prepared.get(id);
    if (file == null) {
      throw new IOException("page " + id + " was not prepared");
    }
    try {
      move(file, id);
      prepared.remove(id);
      inWork.remove(file);
    } catch (IOException e) {
      nameless.add(id);
      onFailure.accept(Operation.PAGE_WRITE, e);
    }
  }

  /** @return whether the page's file could not be renamed. */
  public boolean isNameless(PageId id) {
    return nameless.contains(id);
  }

  /** The page is no longer in the index. */
  public void forgetNameless(PageId id) {
    nameless.remove(id);
  }

  private void move(Path file, PageId id) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        // Nearly always the block has another page, so its directory exists.
        if (attempt > 1) {
          Path block = paths.block(id.getFileId());
          PrivateFiles.createDirectory(block.getParent());
          PrivateFiles.createDirectory(block);
        }
        Files.move(file, paths.file(id), StandardCopyOption.ATOMIC_MOVE);
        return;
      } catch (AtomicMoveNotSupportedException e) {
        throw e;
      } catch (NoSuchFileException | FileAlreadyExistsException e) {
        // The block's last other page was just deleted with its directory. If that happens while
        // the directory is being created, the error says that it exists but is no directory.
        if (attempt == MOVE_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  @Override
  public int get(PageId id, int offset, int bytes, ReadTargetBuffer target, boolean isTemporary) {
    return bytes;
  }

  /**
   * Reads a part of a page's file.
   *
   * @throws NoSuchFileException if the page has been evicted meanwhile
   * @throws DamagedPageException if the file is too short
   */
  public void read(PageId id, PageSlice slice, ByteBuffer buffer) throws IOException {
    Path path = paths.file(id);
    try (FileChannel file = open(path, direct, StandardOpenOption.READ)) {
      slice.move(buffer, (position, target) -> {
        while (target.hasRemaining()) {
          int n = file.read(target, position);
          // With direct I/O, only the end of the file is not aligned.
          if (n <= 0 || direct && n % PageLayout.ALIGNMENT != 0) {
            throw new DamagedPageException(path + " ends at " + (position + Math.max(0, n)), null);
          }
          position += n;
        }
      });
    }
  }

  /** Never throws: a file that cannot be deleted is no page any more, and is deleted later. */
  @Override
  public void delete(PageId id, boolean isTemporary) {
    try {
      Files.delete(paths.file(id));
      onDelete.accept(id);
      deleteIfEmpty(paths.block(id.getFileId()));
    } catch (NoSuchFileException e) {
      onMissing.run();
    } catch (IOException e) {
      undeleted.add(e);
    }
  }

  /** Deletes the directory of a block, unless it has pages. */
  public static void deleteIfEmpty(Path block) throws IOException {
    try {
      Files.delete(block);
    } catch (DirectoryNotEmptyException | NoSuchFileException e) {
      // The block has another page, or another thread was faster.
    }
  }

  /**
   * Retries to delete files that are no pages. May take long, and ends early if something fails.
   *
   * @param lock prevents adding pages
   * @param isPage whether a page of this name exists, or may exist
   * @param goOn asked before each file
   */
  public void deleteAgain(Lock lock, Predicate<PageId> isPage, BooleanSupplier goOn) {
    undeleted.deleteAgain(lock, isPage, goOn);
  }

  /** There may be a file that is no page; it will be searched for and deleted. */
  public void leftBehind() {
    undeleted.add();
  }

  /** @return number of files that could not be deleted, as far as known. */
  public long undeletedFiles() {
    return undeleted.files();
  }

  /** @return milliseconds since the first failed deletion; 0 if none. */
  public long undeletedMillis() {
    return undeleted.millis();
  }

  @Override
  public void delete(PageId id) {
    delete(id, false);
  }

  @Override
  public void close() {
    // No file stays open.
  }
}
