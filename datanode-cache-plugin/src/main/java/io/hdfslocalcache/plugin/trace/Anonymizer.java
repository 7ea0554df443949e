/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.trace;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Replaces the names of block pools, blocks and readers consistently, by HMAC-SHA256 with a secret
 * key that is lost when the DataNode's process ends. Used by one thread.
 */
final class Anonymizer {

  private static final String ALGORITHM = "HmacSHA256";
  private static final int KEY_BYTES = 32;
  /** Recent names are remembered, because the HMAC is slow. */
  private static final int REMEMBERED = 1 << 16;

  private final Mac mac;
  private final Map<String, Long> remembered = new LinkedHashMap<>(16, 0.75f, true) {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
      return size() > REMEMBERED;
    }
  };

  Anonymizer() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    try {
      mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  TracedRead rename(TracedRead read) {
    return read.renamed("BP-" + Long.toHexString(number("p " + read.blockPoolId())),
        number("b " + read.blockPoolId() + " " + read.blockId()),
        "reader-" + Long.toHexString(number("r " + read.reader())));
  }

  /** @return a non-negative number. */
  private long number(String name) {
    return remembered.computeIfAbsent(name, n ->
        ByteBuffer.wrap(mac.doFinal(n.getBytes(StandardCharsets.UTF_8))).getLong()
            & Long.MAX_VALUE);
  }
}
