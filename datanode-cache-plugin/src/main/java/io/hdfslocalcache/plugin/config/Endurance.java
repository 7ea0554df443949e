/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.hadoop.conf.Configuration;

/**
 * Endurance of an SSD as in its data sheet: how much may be written in its life.
 *
 * @param bytes bytes, if the drive writes are 0; not known if both are 0
 * @param driveWrites how often the whole SSD may be written
 */
public record Endurance(double bytes, double driveWrites) {

  /** For an SSD whose endurance is not configured. */
  public static final Endurance UNKNOWN = new Endurance(0, 0);

  private static final String NUMBER = "([0-9]+(?:\\.[0-9]+)?)";
  private static final Pattern WRITTEN = Pattern.compile(NUMBER + " ?tbw");
  private static final Pattern DRIVE_WRITES =
      Pattern.compile(NUMBER + " ?dwpd ?x ?" + NUMBER + " ?y");
  /** Data sheets count in powers of ten. */
  private static final double TERABYTE = 1e12;
  private static final int DAYS_OF_YEAR = 365;

  static Endurance from(Configuration conf) throws BadConfigurationException {
    String value = LocalCacheKeys.value(conf, LocalCacheKeys.ENDURANCE);
    String words = value.toLowerCase(Locale.ROOT);
    Matcher written = WRITTEN.matcher(words);
    if (written.matches()) {
      return new Endurance(Double.parseDouble(written.group(1)) * TERABYTE, 0);
    }
    Matcher drives = DRIVE_WRITES.matcher(words);
    if (drives.matches()) {
      return new Endurance(0, Double.parseDouble(drives.group(1))
          * Double.parseDouble(drives.group(2)) * DAYS_OF_YEAR);
    }
    if (value.isEmpty()) {
      return UNKNOWN;
    }
    throw new BadConfigurationException(LocalCacheKeys.ENDURANCE, value,
        "must be terabytes written such as 1200tbw, or drive writes per day and years such as "
        + "1dwpd x 5y");
  }

  /** @return bytes that may be written to an SSD of this size in its life; 0: not known. */
  public long on(long ssdBytes) {
    return (long) (driveWrites == 0 ? bytes : driveWrites * ssdBytes);
  }
}
