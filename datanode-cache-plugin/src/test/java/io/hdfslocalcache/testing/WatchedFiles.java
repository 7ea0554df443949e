/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.testing;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;

import org.mockito.invocation.Invocation;
import org.mockito.invocation.InvocationOnMock;
import org.mockito.stubbing.Answer;

/** Real files at paths that tell somebody of every call that may touch them, in its thread. */
public final class WatchedFiles {

  private final Runnable listener;
  private final FileSystem system;
  private final FileSystemProvider provider;

  /** @param listener told before each call */
  public WatchedFiles(Runnable listener) {
    this.listener = listener;
    FileSystem real = Path.of("/").getFileSystem();
    this.provider = mock(FileSystemProvider.class, withSettings().stubOnly().defaultAnswer(
        call -> {
          listener.run();
          return forward(real.provider(), call.getMethod(), raw(call));
        }));
    this.system = mock(FileSystem.class, withSettings().stubOnly().defaultAnswer(
        (Answer<Object>) call -> call.getMethod().getName().equals("provider")
            ? provider() : forward(real, call.getMethod(), raw(call))));
  }

  private FileSystemProvider provider() {
    return provider;
  }

  private static Object[] raw(InvocationOnMock call) {
    // As they were passed, variable arguments still in their array.
    return ((Invocation) call).getRawArguments();
  }

  /** @return the same file, watched. */
  public Path of(Path path) {
    return (Path) Proxy.newProxyInstance(
        WatchedFiles.class.getClassLoader(), new Class<?>[] {Path.class}, new Watched(path));
  }

  private final class Watched implements InvocationHandler {
    private final Path path;

    Watched(Path path) {
      this.path = path;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      switch (method.getName()) {
        case "getFileSystem":
          return system;
        case "toFile", "toRealPath":
          listener.run();
          break;
        default:
          break;
      }
      return forward(path, method, arguments);
    }
  }

  private DirectoryStream<Path> of(DirectoryStream<?> listed) {
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        Iterator<?> entries = listed.iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            return entries.hasNext();
          }

          @Override
          public Path next() {
            return of((Path) entries.next());
          }
        };
      }

      @Override
      public void close() throws IOException {
        listed.close();
      }
    };
  }

  private Object forward(Object real, Method method, Object[] arguments) throws Throwable {
    Object[] unwrapped = arguments == null ? null : arguments.clone();
    for (int i = 0; unwrapped != null && i < unwrapped.length; i++) {
      if (unwrapped[i] instanceof Path && Proxy.isProxyClass(unwrapped[i].getClass())) {
        unwrapped[i] = ((Watched) Proxy.getInvocationHandler(unwrapped[i])).path;
      }
    }
    try {
      Object result = method.invoke(real, unwrapped);
      return result instanceof Path path ? of(path)
          : result instanceof DirectoryStream<?> stream ? of(stream) : result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
