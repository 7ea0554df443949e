/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Reads the {@code /jmx} page of a Hadoop daemon, like a monitoring system. Needs Jackson on the
 * class path of its users.
 */
public final class Jmx {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  // The DataNode's front end refuses requests for an upgrade to HTTP/2.
  private final HttpClient client = HttpClient.newBuilder()
      .version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();
  private final URI daemon;

  /** @param daemon its web address, such as {@code http://127.0.0.1:9864} */
  public Jmx(URI daemon) {
    this.daemon = daemon;
  }

  /**
   * Reads a bean.
   *
   * @param query such as {@code Hadoop:service=NameNode,name=*}
   * @return the first matching bean; a missing node if there is none
   * @throws IOException if the daemon does not answer, or with an error
   */
  public JsonNode bean(String query) throws IOException {
    URI uri = daemon.resolve("/jmx?qry=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
    try {
      HttpResponse<String> response = client.send(
          HttpRequest.newBuilder(uri).timeout(TIMEOUT).build(),
          HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IOException(uri + " answers " + response.statusCode());
      }
      return JSON.readTree(response.body()).path("beans").path(0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }
}
