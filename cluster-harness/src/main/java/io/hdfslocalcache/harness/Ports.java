/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of the loopback interface, for daemons that are to have fixed ones. */
public final class Ports {

  /** Below those that the kernel gives to whoever asks for any: nobody takes them meanwhile. */
  private static final int FIRST = 20_000;
  private static final int NUMBER = 12_000;

  private Ports() {
  }

  /** @return so many different ports at which nobody listens. */
  public static int[] free(int number) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      while (sockets.size() < number) {
        int port = FIRST + ThreadLocalRandom.current().nextInt(NUMBER);
        try {
          sockets.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
        } catch (BindException e) {
          // Somebody listens there: another one.
        }
      }
      return sockets.stream().mapToInt(ServerSocket::getLocalPort).toArray();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }
}
