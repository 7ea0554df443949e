# Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
#
# Read by the hdfs script: adds the local cache to the class path, and hdfs localcache.

if [[ "${HADOOP_SHELL_EXECNAME}" = hdfs ]]; then
  # No other profile's name may be part of this one: Hadoop assumes that such a profile, for example
  # hdfs, is added already.
  hadoop_add_profile localcache
  hadoop_add_subcommand localcache admin "look into the DataNodes' local caches, and change them"
  # Not from this file's place: shellprofile.d may be a link.
  _localcache_home=$(cd -L -- "${HADOOP_LIBEXEC_DIR}/.." > /dev/null && pwd -P)
fi

## @description  Adds the local cache to the class path of hdfs, and of no other command
## @audience     private
## @stability    evolving
## @replaceable  no
function _localcache_hadoop_classpath
{
  hadoop_add_classpath "${_localcache_home}/share/hadoop/hdfs-local-cache/lib/*"
}

## @description  Prepares the environment of a DataNode, and tells on the terminal what is wrong with
##               its configuration: the words of the DataNode go to its log only
## @audience     private
## @stability    evolving
## @replaceable  no
function _localcache_hadoop_finalize
{
  local text=''
  # Root's check-config judges as one of these users, whom hadoop-env.sh may set without an export.
  export HDFS_DATANODE_USER HDFS_DATANODE_SECURE_USER
  [[ "${HADOOP_SUBCMD:-}" = datanode ]] || return 0
  # Hadoop and the local cache know errors such as a full disk by their English text.
  [[ -z "${LC_ALL:-}" ]] || export LANG="${LC_ALL}" LC_CTYPE="${LC_ALL}"
  unset LC_ALL
  export LC_MESSAGES=C
  [[ "${HADOOP_DAEMON_MODE:-}" = start ]] || return 0
  # A thread that hangs in an SSD keeps a JVM from ending, and its files open: the start waits for
  # neither. A NUL says that the check succeeded.
  IFS= read -r -d '' -t 15 text < <(exec 2>&1 < /dev/null
    # Hadoop adds the users' class path later.
    "${JAVA}" -cp "${HADOOP_CONF_DIR}:${CLASSPATH}${HADOOP_CLASSPATH:+:${HADOOP_CLASSPATH}}" \
      ${HADOOP_LOG_DIR:+"-Dhadoop.log.dir=${HADOOP_LOG_DIR}"} \
      io.hdfslocalcache.admin.LocalCacheCommand check-config > /dev/null && printf '\0')
  case $? in
    0) return 0 ;;
    1) echo "WARNING: the local cache needs attention. A wrong configuration stops the DataNode, a broken SSD does not:" ;;
    *) echo "WARNING: the local cache was not checked within 15 s. An SSD may hang, or the host is busy." ;;
  esac >&2
  printf '%s' "${text}" >&2
}

## @description  hdfs localcache
## @audience     public
## @stability    evolving
## @replaceable  yes
function hdfs_subcommand_localcache
{
  # shellcheck disable=SC2034 # read by the hdfs script
  HADOOP_CLASSNAME=io.hdfslocalcache.admin.LocalCacheCommand
}
