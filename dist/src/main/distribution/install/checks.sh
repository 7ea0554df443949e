# Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
# shellcheck shell=bash
#
# Part of install.sh: what has to be true before anything is changed. All paths are below
# HADOOP_HOME, which is the working directory.

own=share/hadoop/hdfs-local-cache
profiles=libexec/shellprofile.d
profile=$profiles/hdfs-localcache.sh
pages=share/hadoop/hdfs/webapps/datanode
page=$pages/datanode.html
page_script=$pages/local-cache.js
own_version=$(< "$here/VERSION")

sha256() { # <file>
  local line
  line=$(sha256sum < "$1")
  echo "${line%% *}"
}

enter_hadoop_home() { # <directory>
  [[ -d $1 ]] || die "$1: no such directory"
  cd -P -- "$1" || die "$1: cannot be entered"
  home=$PWD
  [[ -d share/hadoop/hdfs && -d libexec ]] \
    || die "$home: not a HADOOP_HOME: share/hadoop/hdfs or libexec is missing"
  find_release
}

# The release is known by the name of the jar that is patched.
find_release() {
  local file found=()
  for file in share/hadoop/hdfs/hadoop-hdfs-[0-9]*.jar; do
    [[ ! -e $file || $file == *-tests.jar ]] || found+=("$file")
  done
  [[ ${#found[@]} -gt 0 ]] || die "$home: there is no share/hadoop/hdfs/hadoop-hdfs-VERSION.jar"
  [[ ${#found[@]} -eq 1 ]] || die "$home: there are several: ${found[*]}; only one can be in use"
  jar=${found[0]}
  hadoop_version=${jar##*/hadoop-hdfs-}
  hadoop_version=${hadoop_version%.jar}
}

# Sets what is known of the release: SHA-256 of the jar, of its contents, of the patched jar, of the
# DataNode's web page, and of the patched page.
read_release() {
  local version known=()
  while read -r version release_jar release_contents release_patched release_page \
    release_patched_page; do
    [[ $version != "$hadoop_version" ]] || return 0
    known+=("$version")
  done < "$here/hadoop/releases"
  die "$home: Hadoop $hadoop_version is not supported by this version of the local cache; it" \
    "supports ${known[*]}"
}

check_distribution() {
  (cd "$here" && sha256sum --quiet --strict -c SHA256SUMS > /dev/null 2>&1) \
    || die "$here: its files are not those of SHA256SUMS; unpack the archive again"
}

# The jar must be the released one: the patches would undo what somebody else changed in it.
check_released_jar() {
  local found
  [[ ! -L $jar ]] \
    || die "$home/$jar is a link to $(readlink -- "$jar"): install where the file itself is"
  original_sha=$(sha256 "$jar")
  if [[ $original_sha == "$release_patched" ]]; then
    die "$home/$jar is the patched jar, but was not put there by install.sh: put the released" \
      "one back first"
  fi
  # A release is packed more than once, with the same classes: its jars differ by their times.
  [[ $original_sha != "$release_jar" ]] || return 0
  found=$("$java" -cp "$here/install/install-tools.jar" io.hdfslocalcache.dist.JarContents "$jar") \
    || die "$home/$jar cannot be read"
  [[ $found == "$release_contents" ]] \
    || die "$home/$jar is not the one of Apache Hadoop $hadoop_version (SHA-256 $original_sha):" \
      "it has other classes"
}

# A page that is not the released one (a vendor's, or none) stays as it is: everything else works.
look_at_page() { # <state before>
  local found=none
  if $dry_run && [[ $1 != none && -n $page_sha ]]; then
    found=$page_sha # it would have been taken out before
  elif [[ -f $page && ! -L $page ]]; then
    found=$(sha256 "$page")
  fi
  page_sha='' patched_page_sha='' page_script_sha=''
  if [[ $found == "$release_page" ]]; then
    page_sha=$found patched_page_sha=$release_patched_page
    page_script_sha=$(sha256 "$here/webapps/${page_script##*/}")
  fi
}

check_java() {
  local text line
  if [[ -z ${JAVA_HOME:-} && -r etc/hadoop/hadoop-env.sh ]]; then
    line=$(sed -n 's/^ *export JAVA_HOME=["'\'']\{0,1\}\(\/[^"'\''$ ]*\).*/\1/p' \
      etc/hadoop/hadoop-env.sh | tail -n 1)
    JAVA_HOME=$line
  fi
  java=${JAVA_HOME:+$JAVA_HOME/bin/}java
  text=$("$java" -version 2>&1) \
    || die "there is no $java: set JAVA_HOME to the Java that runs the DataNode"
  [[ $text =~ version\ \"(1\.)?([0-9]+) ]] || die "$java -version is not understood: ${text%%$'\n'*}"
  [[ ${BASH_REMATCH[2]} -ge 17 ]] \
    || die "$java is Java ${BASH_REMATCH[2]}, but the DataNode needs 17 or later for the local" \
      "cache; set JAVA_HOME to the Java that runs it"
}

check_permission() {
  local directory
  for directory in share/hadoop share/hadoop/hdfs "$pages" libexec "$profiles" "$own"; do
    [[ ! -e $directory || -w $directory && -x $directory ]] \
      || die "$home/$directory: $(id -un) may not write there; nothing was changed"
  done
}

# No two at a time.
lock() {
  $dry_run || { exec 9< "$home" && flock -n 9; } \
    || die "$home: another install.sh is at work there"
}
