/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** The metrics of a daemon, as its web server shows them. */
final class Jmx {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** The DataNode's web server does not answer a request that offers HTTP/2. */
  private final HttpClient client = HttpClient.newBuilder()
      .version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(2)).build();
  private final int port;

  Jmx(int port) {
    this.port = port;
  }

  /** @return the first bean that the query finds; a missing node if there is none. */
  JsonNode bean(String query) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + port + "/jmx?qry="
        + URLEncoder.encode(query, StandardCharsets.UTF_8));
    HttpResponse<String> response = client.send(
        HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10)).build(),
        HttpResponse.BodyHandlers.ofString());
    return JSON.readTree(response.body()).path("beans").path(0);
  }
}
