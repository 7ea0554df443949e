# shellcheck shell=bash
# Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
#
# For scripts that build the project first. They set root, and die, which prints an error and exits.

# Path prefix of the JDK's programs.
jdk=${JAVA_HOME:+$JAVA_HOME/bin/}
[[ $("${jdk}javac" -version 2>&1) =~ ^javac\ ([0-9]+) && ${BASH_REMATCH[1]} -ge 17 ]] \
  || die "a JDK 17 or later is needed; set JAVA_HOME, or put its javac on the PATH"

# Builds comma-separated modules with their dependencies; Maven's output goes into the log. Maven
# gets any further arguments.
build() {
  local modules=$1 log=$2
  shift 2
  command -v mvn > /dev/null || die "Maven is needed; put its mvn on the PATH"
  mkdir -p "$(dirname "$log")"
  mvn -q -B -f "$root/pom.xml" -pl "$modules" -am package "$@" -DskipTests -DskipHadoopTests \
    > "$log" 2>&1 \
    || { tail -n 30 "$log" >&2; die "the build failed; its log is $log"; }
}
