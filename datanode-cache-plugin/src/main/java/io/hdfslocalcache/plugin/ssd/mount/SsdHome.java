/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.mount;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.hdfslocalcache.plugin.health.SsdProbe;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.ssd.file.Existing;
import io.hdfslocalcache.plugin.ssd.file.PageFiles;
import io.hdfslocalcache.plugin.ssd.file.PagePaths;
import io.hdfslocalcache.plugin.ssd.file.PageTree;
import io.hdfslocalcache.plugin.ssd.file.PrivateFiles;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A DataNode's part of a configured directory: a subdirectory named after the datanode UUID. While
 * it is entered, no other DataNode uses the directory. Detects whether it is still the directory
 * that was entered: an SSD may be unmounted, or a directory removed, at any time.
 */
public class SsdHome implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(SsdHome.class);
  private static final String SIGN = "entered-";
  /** Has the format of the pages, like the file of this name in a data directory. */
  private static final String VERSION = "VERSION";
  /** Pages' worth of space that is enough for opening it, which writes and deletes one. */
  private static final long ROOM_PAGES = 4;
  /** Changes with the layout of directories and of page files. */
  private static final int FORMAT = 5;

  private final Path configured;
  private final Path root;
  private final PagePaths paths;
  private final int pageSize;
  private final boolean restore;
  private final MountPoint mount;
  private final SsdProbe probe;
  private DirectoryLock lock;
  private volatile boolean keepsPages;
  private Trash trash;
  private volatile Runnable whenTrashIsLeft = () -> { };
  /** A uniquely named directory: while it exists, this is the directory that was entered. */
  private volatile Path sign;

  /** Creates one that is not entered. */
  SsdHome(Path configured, String datanodeUuid, int pageSize) {
    this(configured, datanodeUuid, pageSize, false, null);
  }

  private SsdHome(Path configured, String datanodeUuid, int pageSize, boolean restore,
      MountPoint mount) {
    this.configured = configured;
    this.root = configured.resolve(datanodeUuid);
    this.paths = new PagePaths(root, pageSize);
    this.pageSize = pageSize;
    this.restore = restore;
    this.mount = mount;
    this.probe = new SsdProbe(paths.temporary());
  }

  /**
   * Locks an existing directory, and prepares this DataNode's part.
   *
   * @param restore whether to keep existing pages
   * @throws IOException if another DataNode uses the directory, or the SSD fails
   */
  public static SsdHome enter(Path configured, String datanodeUuid, int pageSize, boolean restore)
      throws IOException {
    SsdHome home = new SsdHome(
        configured, datanodeUuid, pageSize, restore, MountPoint.of(configured));
    home.take();
    return home;
  }

  /** Warns of mount options and permissions that are usable, but unwise. */
  public void tellIfUnwise() throws IOException {
    mount.tellIfAccessesAreNoted(configured);
    DirectoryCheck.tellIfGroupsMayReplace(configured.toRealPath());
  }

  private void take() throws IOException {
    // First, so that nothing is created in a directory of another DataNode.
    lock = DirectoryLock.take(configured, root.getFileName().toString());
    try {
      PrivateFiles.createDirectory(root);
      DirectoryCheck.checkOwned(configured, root);
      makeRoom();
      List<Path> old = pagesOfOthers();
      old.add(root.resolve(PagePaths.TEMPORARY));
      keepsPages = restore && canUsePages();
      if (!keepsPages) {
        old.add(root.resolve(PagePaths.LAYOUT));
      }
      trash = Trash.clear(root, old);
      trash.whenLeft(whenTrashIsLeft);
      if (!keepsPages) {
        // Durably: a power failure may leave an empty file, which says that its pages are unknown.
        Path version = root.resolve(VERSION);
        PrivateFiles.replaceDurably(version, root.resolve(VERSION + ".tmp"),
            out -> format().store(out, "Pages of the HDFS DataNode Local Cache"), () -> true);
      }
      PrivateFiles.createDirectory(paths.pages().getParent());
      PrivateFiles.createDirectory(paths.pages());
      sign = Files.createTempDirectory(PrivateFiles.createDirectory(paths.temporary()), SIGN);
    } catch (IOException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Others may have filled the file system: nobody evicts pages until this one is in use. */
  private void makeRoom() throws IOException {
    long missing = ROOM_PAGES * pageSize - usableBytes();
    int deleted = missing <= 0 ? 0 : PageTree.deleteSome(root.resolve(PagePaths.LAYOUT), missing);
    if (deleted > 0) {
      LOG.warn("Local cache: {} is full: deleted {} pages, to be able to use it", configured, deleted);
    }
  }

  /** No DataNode reads these pages any more, and their blocks may have been deleted long ago. */
  private List<Path> pagesOfOthers() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (Path part : PageTree.dataNodes(configured)) {
      if (!part.equals(root)) {
        LOG.warn("Local cache: deleting {}: unused pages of another DataNode", part);
        pages.add(part.resolve(PagePaths.LAYOUT));
        pages.add(part.resolve(PagePaths.TEMPORARY));
      }
    }
    return pages;
  }

  /** Pages of another format or size are not read but deleted. */
  private boolean canUsePages() throws IOException {
    Path file = root.resolve(VERSION);
    if (!Existing.isFile(file)) {
      LOG.info("Local cache: {} has no {} file and starts empty", root, VERSION);
      return false;
    }
    Properties found = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      found.load(in);
    } catch (IllegalArgumentException e) {
      LOG.warn("Local cache: {} is damaged; deleting pages in {}: {}", file, root, e.getMessage());
      return false;
    }
    if (!found.equals(format())) {
      LOG.warn("Local cache: deleting pages in {}: they have format {}, not {}",
          root, found, format());
      return false;
    }
    return true;
  }

  private Properties format() {
    Properties format = new Properties();
    format.setProperty("format", String.valueOf(FORMAT));
    format.setProperty("pageSize", String.valueOf(pageSize));
    return format;
  }

  /** Registers a listener that is called if some old pages cannot be deleted. */
  public void whenTrashIsLeft(Runnable listener) {
    whenTrashIsLeft = listener;
    if (trash != null) {
      trash.whenLeft(listener);
    }
  }

  /** Creates the access to the files of its pages: {@link PageFiles} explains the parameters. */
  public PageFiles files(Consumer<PageId> onDelete, Runnable onMissing,
      BiConsumer<Operation, IOException> onFailure) throws IOException {
    return new PageFiles(paths, onDelete, onMissing, onFailure);
  }

  /**
   * @return bytes that the DataNode's user could still write to the file system
   * @throws IOException if the file system does not answer, or is missing
   */
  public long usableBytes() throws IOException {
    return Files.getFileStore(root).getUsableSpace();
  }

  /**
   * Tests whether the SSD can be used.
   *
   * @param nanoClock clock for the measurement
   * @param readsNanos once its reads took so long together, it reads no more
   * @return how long the shortest read took, in nanoseconds
   * @throws IOException if it cannot be used
   */
  public long probe(LongSupplier nanoClock, long readsNanos) throws IOException {
    return probe.run(nanoClock, readsNanos);
  }

  /** @return this DataNode's directory. */
  public Path root() {
    return root;
  }

  /** @return the places of its page files. */
  public PagePaths paths() {
    return paths;
  }

  /** @return whether existing pages may be restored. */
  public boolean keepsPages() {
    return keepsPages;
  }

  /** @return the mark of the present lock, which differs from later ones. */
  Path sign() {
    return sign;
  }

  /**
   * Checks whether the directory still exists.
   *
   * @param entered the {@link #sign} from when it was entered
   * @return why it does not, or null if it does
   * @throws IOException if the SSD fails, so that this is unknown
   */
  String gone(Path entered) throws IOException {
    if (Existing.isDirectory(entered) && Existing.isDirectory(paths.pages())) {
      return null;
    }
    String why = whyConfiguredIsGone();
    return why == null ? missing(root) : why;
  }

  /** Without its file system, it is often missing, too. @return null if it is there */
  private String whyConfiguredIsGone() throws IOException {
    boolean isThere = Existing.isDirectory(configured);
    Path now = isThere ? MountPoint.of(configured).path() : mount.now();
    return !now.equals(mount.path()) ? "not mounted: " + configured + " was on the file system of "
        + mount.path() + ", and is now on that of " + now : isThere ? null : missing(configured);
  }

  /**
   * Locks the directory again after it was missing. Creates nothing above its own part, and nothing
   * on the file system below an unmounted one.
   *
   * @throws IOException if it is still missing, or cannot be used
   */
  void enterAgain() throws IOException {
    close();
    String why = whyConfiguredIsGone();
    if (why != null) {
      throw new IOException(why);
    }
    DirectoryCheck.prepare(configured, false);
    take();
  }

  /** @return the message for a missing directory. */
  public static String missing(Path directory) {
    return "directory is missing: " + directory;
  }

  /** Releases the directory. */
  @Override
  public void close() {
    IOUtils.cleanupWithLogger(LOG, trash, lock);
  }
}
