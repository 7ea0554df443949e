/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.file;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import java.util.function.BooleanSupplier;

import io.hdfslocalcache.plugin.metrics.ErrorText;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;

/**
 * Files and directories that only the DataNode's user can open, whatever the umask: their content
 * needs a block token.
 */
public final class PrivateFiles {

  private static final FileAttribute<Set<PosixFilePermission>> FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<Set<PosixFilePermission>> DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private PrivateFiles() {
  }

  /** Creates a file. @throws java.nio.file.FileAlreadyExistsException if there is one */
  public static FileChannel create(Path file) throws IOException {
    return create(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  }

  /** The same with options that create the file. */
  public static FileChannel create(Path file, Set<? extends OpenOption> options)
      throws IOException {
    return FileChannel.open(file, options, FILE);
  }

  /** Opens a file for writing, and creates it if it is missing. */
  public static FileChannel createOrOpen(Path file) throws IOException {
    return FileChannel.open(
        file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), FILE);
  }

  /**
   * Creates a directory, unless the path exists. Its parent must exist: nothing may be created
   * below a mount point without its file system.
   */
  public static Path createDirectory(Path directory) throws IOException {
    try {
      return Files.createDirectory(directory, DIRECTORY);
    } catch (FileAlreadyExistsException e) {
      if (!Existing.isAnything(directory)) {
        throw e;
      }
      return directory;
    }
  }

  /**
   * Makes sure that this user can create a file in a directory. It takes an attempt: permissions say
   * nothing about a file system that an error has made read-only.
   *
   * @return this user, as the file system knows it
   */
  public static UserPrincipal tryToWrite(Path directory) throws IOException {
    Path file = Files.createTempFile(directory, "check", ".tmp");
    try {
      return Files.getOwner(file);
    } finally {
      Files.delete(file);
    }
  }

  /**
   * @param closed a directory above it that the user may not enter; null: none
   * @param user the DataNode's; null: this one
   * @return the exception for a directory that the user could not make, or create a file in
   */
  public static IOException notWritable(
      Path directory, Path closed, String user, IOException error) {
    // Without the temporary file's name, which differs at each attempt.
    String why = error instanceof FileSystemException file ? ErrorText.reason(file)
        : error.toString();
    String who = "the DataNode's user " + (user == null ? System.getProperty("user.name") : user);
    return new IOException((closed != null ? who + " cannot enter " + closed + ": "
        : isMissing(directory)
        ? "directory is missing: " + directory + ", and " + who + " cannot make it: "
        : "it must be writable by " + who + ", who must own it: ") + why, error);
  }

  private static boolean isMissing(Path directory) {
    try {
      return !Existing.isAnything(directory);
    } catch (IOException e) {
      return false;
    }
  }

  /** Creates a directory with its missing parents. */
  public static void createDirectories(Path directory) throws IOException {
    Files.createDirectories(directory, DIRECTORY);
  }

  /** Replaces a file atomically: it has the new content or the old one. */
  public static void replace(Path file, ConsumerRaisingIOE<OutputStream> content)
      throws IOException {
    replace(file, file.resolveSibling(file.getFileName() + ".tmp"), false, content, () -> true);
  }

  /**
   * The same, and syncs it to the disk.
   *
   * @param temporary of nobody else
   * @param isWanted asked when the new content is on the disk, and the old one still in its place
   * @return whether it was wanted and is replaced
   */
  public static boolean replaceDurably(Path file, Path temporary,
      ConsumerRaisingIOE<OutputStream> content, BooleanSupplier isWanted) throws IOException {
    if (!replace(file, temporary, true, content, isWanted)) {
      return false;
    }
    try (FileChannel directory = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
      directory.force(true);
    }
    return true;
  }

  private static boolean replace(Path file, Path temporary, boolean durable,
      ConsumerRaisingIOE<OutputStream> content, BooleanSupplier isWanted) throws IOException {
    Files.deleteIfExists(temporary);
    try (FileChannel channel = create(temporary)) {
      OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel));
      content.accept(out);
      out.flush();
      if (durable) {
        channel.force(true);
      }
    }
    if (!isWanted.getAsBoolean()) {
      Files.delete(temporary);
      return false;
    }
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    return true;
  }
}
