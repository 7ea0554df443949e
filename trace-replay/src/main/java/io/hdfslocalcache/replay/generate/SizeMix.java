/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.generate;

import java.util.Locale;
import java.util.SplittableRandom;

/** How many bytes a read asks for: points of the distribution, and a line between them. */
public enum SizeMix {
  /**
   * As Uber publishes for SQL (Tang et al., USENIX ATC 2024, section 2.2): over half of the reads
   * below 10 KB, over 90 % below 1 MB.
   */
  SMALL(new double[] {0, 0.30, 0.55, 0.75, 0.93, 1},
      new double[] {0.2, 2, 10, 100, 1024, 8192}),
  /** An assumption: reads of about 2 MB, as engines make that read column chunks whole. */
  LARGE(new double[] {0, 0.10, 0.25, 0.50, 0.80, 0.90, 1},
      new double[] {4, 64, 512, 2048, 2560, 8192, 8192});

  private static final int KB = 1024;

  private final double[] shares;
  private final double[] logBytes;

  SizeMix(double[] shares, double[] kilobytes) {
    this.shares = shares;
    this.logBytes = new double[kilobytes.length];
    for (int i = 0; i < logBytes.length; i++) {
      logBytes[i] = Math.log(kilobytes[i] * KB);
    }
  }

  /** @return bytes of a read. */
  long draw(SplittableRandom random) {
    double share = random.nextDouble();
    int i = 1;
    while (shares[i] <= share) {
      i++;
    }
    double within = (share - shares[i - 1]) / (shares[i] - shares[i - 1]);
    return (long) Math.exp(logBytes[i - 1] + within * (logBytes[i] - logBytes[i - 1]));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
