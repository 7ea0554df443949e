#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
#
# Puts the local cache into a Hadoop installation on this host, tells whether it is there, and takes
# it out again.
set -euo pipefail
umask 022

here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=install/output.sh
. "$here/install/output.sh"
# shellcheck source=install/checks.sh
. "$here/install/checks.sh"
# shellcheck source=install/journal.sh
. "$here/install/journal.sh"
# shellcheck source=install/changes.sh
. "$here/install/changes.sh"

usage() {
  cat <<'END'
Usage: install.sh [--dry-run] [--jar JAR] install|status|uninstall HADOOP_HOME

  install     keeps the released hadoop-hdfs jar aside, and puts the patched one and the local
              cache in. Does nothing where that is done; finishes what was interrupted; replaces
              another version of the local cache.
  status      tells what is there, and compares it with what was installed
  uninstall   puts back everything as it was before
  --dry-run   tells what would be done, and changes nothing
  --jar JAR   installs this jar, which patches/build-for made of the very hadoop-hdfs jar that is
              there: for a Hadoop that is not one of Apache's releases

Daemons that are running are not touched: they change when they are restarted. JAVA_HOME is the
Java that runs the DataNode. If HADOOP_HOME has no HDFS, the one in HADOOP_HDFS_HOME is taken. Exit
codes: 0 done (status: installed), 1 failed (status: half done or damaged) and nothing was changed
unless the message says so, 2 wrong usage, 3 status: not installed.
END
}

wrong_use() {
  echo "install.sh: $1; see install.sh --help" >&2
  exit 2
}

dry_run=false given_jar=''
words=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --dry-run) dry_run=true ;;
    --jar)
      [[ $# -ge 2 ]] || wrong_use "--jar of what?"
      given_jar=$(realpath -m -- "$2")
      shift
      ;;
    --help | -h) usage; exit ;;
    -*) wrong_use "unknown option: $1" ;;
    *) words+=("$1") ;;
  esac
  shift
done
[[ ${#words[@]} -gt 0 ]] || wrong_use "what to do is missing"
action=${words[0]}
case $action in
  install | status | uninstall) ;;
  *) wrong_use "unknown action: $action" ;;
esac
[[ -z $given_jar || $action == install ]] || wrong_use "--jar is for install"
[[ ${#words[@]} -eq 2 ]] || wrong_use "expected one HADOOP_HOME after $action"

enter_hadoop_home "${words[1]}"
"do_$action"
