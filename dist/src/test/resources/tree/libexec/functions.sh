# Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
# shellcheck shell=bash
#
# Stands in for the functions of Hadoop's Unix Shell API that a shell profile may call.

# Like Hadoop's, takes a name for added if it is part of one that was added before.
hadoop_add_profile() { # <name>
  [[ ${HADOOP_SHELL_PROFILES:-} =~ $1 ]] || HADOOP_SHELL_PROFILES="${HADOOP_SHELL_PROFILES:-} $1"
}

# Rejects missing files, and does not add the same twice.
hadoop_add_classpath() { # <file, directory or directory/*> [before|after]
  local place=$1
  [[ $place != *'*' ]] || place=${place%/*}
  [[ -e $place ]] || return 1
  [[ ":${CLASSPATH:-}:" != *":$1:"* ]] || return 0
  if [[ ${2:-after} == before ]]; then
    CLASSPATH=$1${CLASSPATH:+:$CLASSPATH}
  else
    CLASSPATH=${CLASSPATH:+$CLASSPATH:}$1
  fi
}

hadoop_add_subcommand() { # <name> <client|admin|daemon> <what it does>
  HADOOP_SUBCMD_USAGE+=("$(printf '%-14s %-8s %s' "$1" "$2" "$3")")
}

# Before a command runs.
finalize_profiles() {
  local name
  for name in ${HADOOP_SHELL_PROFILES:-}; do
    ! declare -F "_${name}_hadoop_finalize" > /dev/null || "_${name}_hadoop_finalize"
  done
}

# Every *.sh of shellprofile.d, in the order of their names; then what they have to add.
import_profiles() {
  local file name
  for file in "$HADOOP_LIBEXEC_DIR"/shellprofile.d/*.sh; do
    # shellcheck source=/dev/null
    [[ ! -f $file ]] || . "$file"
  done
  for name in ${HADOOP_SHELL_PROFILES:-}; do
    ! declare -F "_${name}_hadoop_classpath" > /dev/null || "_${name}_hadoop_classpath" || true
  done
}
