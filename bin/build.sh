# shellcheck shell=bash
# Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
#
# For scripts that build the project before they run something of it. They set root, and die, which
# tells what is wrong and ends.

# What stands before the name of a program of the JDK.
jdk=${JAVA_HOME:+$JAVA_HOME/bin/}
[[ $("${jdk}javac" -version 2>&1) =~ ^javac\ ([0-9]+) && ${BASH_REMATCH[1]} -ge 17 ]] \
  || die "a JDK 17 or later is needed; set JAVA_HOME, or put its javac on the PATH"

# Builds modules, separated by commas, and all that they need; all that Maven prints goes into the log.
build() {
  local modules=$1 log=$2
  command -v mvn > /dev/null || die "Maven is needed; put its mvn on the PATH"
  mkdir -p "$(dirname "$log")"
  mvn -q -B -f "$root/pom.xml" -pl "$modules" -am package -DskipTests -DskipHadoopTests > "$log" 2>&1 \
    || { tail -n 30 "$log" >&2; die "the build failed; all of its log is in $log"; }
}
