/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles a few sources of Hadoop against a whole jar of it.
 *
 * @param release the Java release that the class files are for
 * @param classPath the jar first, then what it needs
 */
record Javac(int release, String classPath) {

  /**
   * Compiles.
   *
   * @param root where the sources are
   * @param paths of the sources, relative to the root; others than Java sources are left out
   * @param classes gets the class files
   * @throws PatchException with the first error, if there is one
   */
  void compile(Path root, Set<String> paths, Path classes) throws IOException {
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    if (javac == null) {
      throw new PatchException(System.getProperty("java.home"), "is no JDK: there is no javac");
    }
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    Files.createDirectories(classes);
    List<Path> sources = paths.stream().filter(path -> path.endsWith(".java"))
        .map(root::resolve).toList();
    // An empty source path: nothing but what is given is compiled.
    List<String> options = List.of("--release", Integer.toString(release), "-g", "-nowarn",
        "-proc:none", "-Xlint:none", "-encoding", "UTF-8", "-implicit:none", "-sourcepath", "",
        "-cp", classPath, "-d", classes.toString());
    boolean done;
    try (StandardJavaFileManager files = javac.getStandardFileManager(found, null, null)) {
      done = javac.getTask(null, files, found, options, null,
          files.getJavaFileObjectsFromPaths(sources)).call();
    } catch (IllegalArgumentException e) {
      throw new PatchException("javac", e.getMessage());
    }
    if (!done) {
      throw firstError(root, found.getDiagnostics());
    }
  }

  private static PatchException firstError(Path root,
      List<Diagnostic<? extends JavaFileObject>> found) {
    for (Diagnostic<? extends JavaFileObject> one : found) {
      if (one.getKind() == Diagnostic.Kind.ERROR) {
        String where = one.getSource() == null ? "javac"
            : root.relativize(Path.of(one.getSource().toUri())) + ":" + one.getLineNumber();
        return new PatchException(where,
            "does not compile: " + one.getMessage(null).replaceAll("\\s+", " "));
      }
    }
    return new PatchException("javac", "failed without an error");
  }
}
