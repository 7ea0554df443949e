# Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
# shellcheck shell=bash
#
# Stands in for the profile of hdfs itself.

hadoop_add_profile hdfs

_hdfs_hadoop_classpath() {
  hadoop_add_classpath "$HADOOP_HOME/share/hadoop/hdfs"
  hadoop_add_classpath "$HADOOP_HOME/share/hadoop/hdfs/lib/*"
  hadoop_add_classpath "$HADOOP_HOME/share/hadoop/hdfs/*"
}
