/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.simulation;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import com.sun.nio.file.ExtendedOpenOption;
import io.hdfslocalcache.time.TimeAndThreads;

/**
 * A file system in memory that fails as it is told, and logs all changes in their order. From any
 * prefix of the log, {@link #afterPowerCut} makes the file system that a power cut at that moment
 * could have left behind.
 *
 * <p>Names, lengths and directories are as after the last logged change, as a journal keeps them.
 * The data of a write that no {@code force} has followed may be there, be zeros, or be torn.
 */
public final class LoggedFileSystem extends FileSystem {

  private static final int SECTOR = 512;
  private static final int BLOCK = 4096;

  private final FileSystem memory = Jimfs.newFileSystem(Configuration.unix().toBuilder()
      .setAttributeViews("basic", "owner", "posix", "unix")
      .setDefaultAttributeValue("posix:permissions", "rwxr-xr-x")
      .setFileTimeSource(
          () -> FileTime.fromMillis(TimeAndThreads.get().currentTimeMillis()))
      .setMaxSize(1L << 30).build());
  private final Provider provider = new Provider();
  private final List<Change> log = new ArrayList<>();
  /** The type that {@code statfs} returns. */
  private final String type;
  /** Bytes that were written to files that are still open. */
  private final AtomicLong openBytes = new AtomicLong();
  private int files;
  private volatile Faults faults = (call, path) -> { };

  /** Starts empty, without faults. */
  public LoggedFileSystem() {
    this("ext4");
  }

  private LoggedFileSystem(String type) {
    this.type = type;
  }

  /** @return one that does not outlive its machine, and so has no log. */
  static LoggedFileSystem tmpfs() {
    return new LoggedFileSystem("tmpfs");
  }

  /** @return bytes that were written to files that are still open, including deleted ones. */
  long openBytes() {
    return openBytes.get();
  }

  /** Calls on a file. */
  public enum Call {
    READ, WRITE, CLOSE, NAMES
  }

  /** Called before each call, without a lock; may throw, and take its time. */
  public interface Faults {
    void before(Call call, Path path) throws IOException;

    /** @param bytes what a read has returned, to be changed in place */
    default void afterRead(Path path, ByteBuffer bytes) {
    }

    /** @return whether it belongs to another user */
    default boolean isForeign(Path path) {
      return false;
    }
  }

  /**
   * A change, to be replayed on another file system.
   *
   * @param what description, to find the change after which it went wrong
   * @param file number of the file whose data it writes or forces; 0: none
   */
  private record Change(String what, int file, boolean isForce, Redo redo) {
  }

  /** Replays a change. */
  private interface Redo {
    void on(Replay replay, Fate fate) throws IOException;
  }

  /** The fate of a write's data. */
  private enum Fate {
    THERE, ZEROS, TORN
  }

  /** Files that are open in the log are open in the replay: a file that was moved stays the same. */
  private static final class Replay {
    private final FileSystem memory;
    private final Map<Integer, FileChannel> open = new HashMap<>();

    Replay(FileSystem memory) {
      this.memory = memory;
    }

    Path path(Path path) {
      return memory.getPath(path.toString());
    }
  }

  /** From now on, calls fail as these say. */
  public void setFaults(Faults newFaults) {
    faults = newFaults;
  }

  /** @return number of changes so far. */
  synchronized int changes() {
    return log.size();
  }

  /** @return a change's description. */
  synchronized String change(int number) {
    return log.get(number).what();
  }

  /**
   * @param changes number of changes that reached the SSD
   * @param random decides which unforced data is lost; null: none
   * @return the file system that is found afterwards
   */
  synchronized LoggedFileSystem afterPowerCut(int changes, Random random) throws IOException {
    LoggedFileSystem left = new LoggedFileSystem();
    Replay replay = new Replay(left.memory);
    Map<Integer, Integer> lastForce = new HashMap<>();
    for (int number = 0; number < changes; number++) {
      if (log.get(number).isForce()) {
        lastForce.put(log.get(number).file(), number);
      }
    }
    for (int number = 0; number < changes; number++) {
      Change change = log.get(number);
      boolean isSafe = random == null || change.file() == 0
          || number < lastForce.getOrDefault(change.file(), -1);
      int chance = isSafe ? Fate.values().length : random.nextInt(4 * Fate.values().length);
      Fate fate = chance < Fate.values().length && !isSafe ? Fate.values()[chance] : Fate.THERE;
      change.redo().on(replay, fate);
      // The fate of a change is final.
      left.log.add(new Change(change.what(), 0, false, (again, any) -> change.redo().on(again, fate)));
    }
    left.files = files;
    for (FileChannel channel : replay.open.values()) {
      channel.close();
    }
    return left;
  }

  private synchronized void log(String what, int file, boolean isForce, Redo redo) {
    if (!type.equals("tmpfs")) {
      log.add(new Change(what, file, isForce, redo));
    }
  }

  /** The change and its place in the log are one step: the log is in the order of the changes. */
  private interface Act<T> {
    T run() throws IOException;
  }

  private synchronized <T> T change(String what, Act<T> act, Redo redo) throws IOException {
    T result = act.run();
    log(what, 0, false, redo);
    return result;
  }

  private Path wrap(Path path) {
    return path == null ? null : new LoggedPath(path);
  }

  private static Path inner(Path path) {
    return ((LoggedPath) path).inner;
  }

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  @Override
  public void close() throws IOException {
    memory.close();
  }

  @Override
  public boolean isOpen() {
    return memory.isOpen();
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public String getSeparator() {
    return "/";
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return List.of(getPath("/"));
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return memory.getFileStores();
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return memory.supportedFileAttributeViews();
  }

  @Override
  public Path getPath(String first, String... more) {
    return wrap(memory.getPath(first, more));
  }

  @Override
  public PathMatcher getPathMatcher(String pattern) {
    PathMatcher matcher = memory.getPathMatcher(pattern);
    return path -> matcher.matches(inner(path));
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    return memory.getUserPrincipalLookupService();
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException();
  }

  private final class LoggedPath implements Path {

    private final Path inner;

    LoggedPath(Path inner) {
      this.inner = inner;
    }

    @Override
    public FileSystem getFileSystem() {
      return LoggedFileSystem.this;
    }

    @Override
    public boolean isAbsolute() {
      return inner.isAbsolute();
    }

    @Override
    public Path getRoot() {
      return wrap(inner.getRoot());
    }

    @Override
    public Path getFileName() {
      return wrap(inner.getFileName());
    }

    @Override
    public Path getParent() {
      return wrap(inner.getParent());
    }

    @Override
    public int getNameCount() {
      return inner.getNameCount();
    }

    @Override
    public Path getName(int index) {
      return wrap(inner.getName(index));
    }

    @Override
    public Path subpath(int from, int to) {
      return wrap(inner.subpath(from, to));
    }

    @Override
    public boolean startsWith(Path other) {
      return other instanceof LoggedPath logged && inner.startsWith(logged.inner);
    }

    @Override
    public boolean endsWith(Path other) {
      return other instanceof LoggedPath logged && inner.endsWith(logged.inner);
    }

    @Override
    public Path normalize() {
      return wrap(inner.normalize());
    }

    @Override
    public Path resolve(Path other) {
      return wrap(inner.resolve(inner(other)));
    }

    @Override
    public Path relativize(Path other) {
      return wrap(inner.relativize(inner(other)));
    }

    @Override
    public URI toUri() {
      return inner.toUri();
    }

    @Override
    public Path toAbsolutePath() {
      return wrap(inner.toAbsolutePath());
    }

    @Override
    public Path toRealPath(LinkOption... options) throws IOException {
      return wrap(inner.toRealPath(options));
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events,
        WatchEvent.Modifier... modifiers) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int compareTo(Path other) {
      return inner.compareTo(inner(other));
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof LoggedPath logged && inner.equals(logged.inner);
    }

    @Override
    public int hashCode() {
      return inner.hashCode();
    }

    @Override
    public String toString() {
      return inner.toString();
    }
  }

  private final class Provider extends FileSystemProvider {

    @Override
    public String getScheme() {
      return "logged";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> env) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
      return LoggedFileSystem.this;
    }

    @Override
    public Path getPath(URI uri) {
      throw new UnsupportedOperationException();
    }

    @Override
    public SeekableByteChannel newByteChannel(Path path, Set<? extends OpenOption> options,
        FileAttribute<?>... attributes) throws IOException {
      return newFileChannel(path, options, attributes);
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> asked,
        FileAttribute<?>... attributes) throws IOException {
      Set<OpenOption> options = new HashSet<>(asked);
      // There is no cache to bypass.
      options.remove(ExtendedOpenOption.DIRECT);
      boolean writes = options.contains(StandardOpenOption.WRITE);
      faults.before(writes ? Call.WRITE : Call.READ, path);
      Path inner = inner(path);
      synchronized (LoggedFileSystem.this) {
        if (Files.isDirectory(inner)) {
          // The file system in memory opens none. All that it does with names is in the log at once.
          return new LoggedChannel(path,
              FileChannel.open(inner.getFileSystem().getPath("/directory"),
                  StandardOpenOption.CREATE, StandardOpenOption.WRITE), 0);
        }
        FileChannel channel = FileChannel.open(inner, options, attributes);
        if (!writes) {
          return new LoggedChannel(path, channel, 0);
        }
        int file = ++files;
        log("open " + path, 0, false, (replay, fate) -> replay.open.put(
            file, FileChannel.open(replay.path(inner), options, attributes)));
        return new LoggedChannel(path, channel, file);
      }
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path directory,
        DirectoryStream.Filter<? super Path> filter) throws IOException {
      faults.before(Call.READ, directory);
      DirectoryStream<Path> stream = Files.newDirectoryStream(inner(directory));
      List<Path> entries = new ArrayList<>();
      for (Path entry : stream) {
        Path wrapped = wrap(entry);
        if (filter.accept(wrapped)) {
          entries.add(wrapped);
        }
      }
      // In order of age: the JDK makes up some names, so their order would differ each time.
      entries.sort(Comparator.comparing(Provider::numberOf));
      return new DirectoryStream<>() {
        @Override
        public Iterator<Path> iterator() {
          return entries.iterator();
        }

        @Override
        public void close() throws IOException {
          stream.close();
        }
      };
    }

    private static int numberOf(Path path) {
      try {
        return (Integer) Files.readAttributes(inner(path), BasicFileAttributes.class).fileKey();
      } catch (IOException e) {
        // Deleted meanwhile.
        return 0;
      }
    }

    @Override
    public void createDirectory(Path directory, FileAttribute<?>... attributes)
        throws IOException {
      faults.before(Call.NAMES, directory);
      Path inner = inner(directory);
      change("mkdir " + directory, () -> Files.createDirectory(inner, attributes),
          (replay, fate) -> Files.createDirectory(replay.path(inner), attributes));
    }

    @Override
    public void delete(Path path) throws IOException {
      faults.before(Call.NAMES, path);
      Path inner = inner(path);
      change("delete " + path, () -> {
        Files.delete(inner);
        return null;
      }, (replay, fate) -> Files.delete(replay.path(inner)));
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
      faults.before(Call.NAMES, target);
      // Like rename(2), replaces an existing file.
      CopyOption[] replacing =
          {StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING};
      change("move " + source + " to " + target,
          () -> Files.move(inner(source), inner(target), replacing),
          (replay, fate) -> Files.move(
              replay.path(inner(source)), replay.path(inner(target)), replacing));
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
      return Files.isSameFile(inner(path), inner(other));
    }

    @Override
    public boolean isHidden(Path path) {
      return false;
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
      faults.before(Call.READ, path);
      return new Store(Files.getFileStore(inner(path)), type);
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
      faults.before(Call.READ, path);
      inner(path).getFileSystem().provider().checkAccess(inner(path), modes);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type,
        LinkOption... options) {
      if (type == FileOwnerAttributeView.class && faults.isForeign(path)) {
        return type.cast(new Foreign());
      }
      return Files.getFileAttributeView(inner(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type,
        LinkOption... options) throws IOException {
      faults.before(Call.READ, path);
      A inner = Files.readAttributes(inner(path), type, options);
      // Like the number of a device: files of two file systems are never the same.
      return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
          (proxy, method, arguments) -> method.getName().equals("fileKey")
              ? List.of(provider, inner.fileKey()) : method.invoke(inner, arguments)));
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes,
        LinkOption... options) throws IOException {
      faults.before(Call.READ, path);
      return Files.readAttributes(inner(path), attributes, options);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options)
        throws IOException {
      Files.setAttribute(inner(path), attribute, value, options);
    }
  }

  /** The owner of a file is another user. */
  private static final class Foreign implements FileOwnerAttributeView {

    @Override
    public String name() {
      return "owner";
    }

    @Override
    public UserPrincipal getOwner() {
      return () -> "nobody";
    }

    @Override
    public void setOwner(UserPrincipal owner) {
      throw new UnsupportedOperationException();
    }
  }

  /** Knows the size of a block, without which there is no direct I/O. */
  private static final class Store extends FileStore {

    private final FileStore inner;
    private final String type;

    Store(FileStore inner, String type) {
      this.inner = inner;
      this.type = type;
    }

    @Override
    public String name() {
      return inner.name();
    }

    @Override
    public String type() {
      return type;
    }

    @Override
    public boolean isReadOnly() {
      return false;
    }

    @Override
    public long getTotalSpace() throws IOException {
      return inner.getTotalSpace();
    }

    @Override
    public long getUsableSpace() throws IOException {
      return inner.getUsableSpace();
    }

    @Override
    public long getUnallocatedSpace() throws IOException {
      return inner.getUnallocatedSpace();
    }

    @Override
    public long getBlockSize() {
      return BLOCK;
    }

    @Override
    public boolean supportsFileAttributeView(Class<? extends FileAttributeView> type) {
      return inner.supportsFileAttributeView(type);
    }

    @Override
    public boolean supportsFileAttributeView(String name) {
      return inner.supportsFileAttributeView(name);
    }

    @Override
    public <V extends FileStoreAttributeView> V getFileStoreAttributeView(Class<V> type) {
      return inner.getFileStoreAttributeView(type);
    }

    @Override
    public Object getAttribute(String attribute) throws IOException {
      return inner.getAttribute(attribute);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Store store && inner.equals(store.inner);
    }

    @Override
    public int hashCode() {
      return inner.hashCode();
    }
  }

  /** Reads and writes the file in memory, and logs the writes. */
  private final class LoggedChannel extends FileChannel {

    private final Path path;
    private final FileChannel inner;
    /** Its number in the log; 0: it is only read. */
    private final int file;
    private long written;

    LoggedChannel(Path path, FileChannel inner, int file) {
      this.path = path;
      this.inner = inner;
      this.file = file;
    }

    @Override
    public int read(ByteBuffer buffer) throws IOException {
      int n = read(buffer, inner.position());
      inner.position(inner.position() + Math.max(0, n));
      return n;
    }

    @Override
    public long read(ByteBuffer[] buffers, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(ByteBuffer buffer, long position) throws IOException {
      faults.before(Call.READ, path);
      int begin = buffer.position();
      int n = inner.read(buffer, position);
      if (n > 0) {
        faults.afterRead(path, buffer.duplicate().flip().position(begin).slice());
      }
      return n;
    }

    @Override
    public int write(ByteBuffer buffer) throws IOException {
      int written = write(buffer, inner.position());
      inner.position(inner.position() + written);
      return written;
    }

    @Override
    public long write(ByteBuffer[] buffers, int offset, int length) throws IOException {
      long written = 0;
      for (int i = offset; i < offset + length; i++) {
        written += write(buffers[i]);
      }
      return written;
    }

    @Override
    public int write(ByteBuffer buffer, long position) throws IOException {
      faults.before(Call.WRITE, path);
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      synchronized (LoggedFileSystem.this) {
        inner.write(ByteBuffer.wrap(bytes), position);
        written += bytes.length;
        openBytes.addAndGet(bytes.length);
        log("write " + bytes.length + " at " + position, file, false,
            (replay, fate) -> replay.open.get(file).write(
                ByteBuffer.wrap(after(bytes, fate)), position));
      }
      return bytes.length;
    }

    private byte[] after(byte[] bytes, Fate fate) {
      if (fate == Fate.THERE) {
        return bytes;
      }
      byte[] left = new byte[bytes.length];
      if (fate == Fate.TORN) {
        System.arraycopy(bytes, 0, left, 0, bytes.length / SECTOR / 2 * SECTOR);
      }
      return left;
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
      faults.before(Call.WRITE, path);
      change("truncate to " + size, () -> inner.truncate(size),
          (replay, fate) -> replay.open.get(file).truncate(size));
      return this;
    }

    @Override
    public void force(boolean metaData) throws IOException {
      faults.before(Call.WRITE, path);
      synchronized (LoggedFileSystem.this) {
        inner.force(metaData);
        log("force", file, true, (replay, fate) -> { });
      }
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target)
        throws IOException {
      faults.before(Call.READ, path);
      return inner.transferTo(position, count, target);
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
      return inner.lock(position, size, shared);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
      return inner.tryLock(position, size, shared);
    }

    @Override
    public long position() throws IOException {
      return inner.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
      inner.position(position);
      return this;
    }

    @Override
    public long size() throws IOException {
      return inner.size();
    }

    @Override
    protected void implCloseChannel() throws IOException {
      faults.before(Call.CLOSE, path);
      openBytes.addAndGet(-written);
      inner.close();
    }
  }
}
