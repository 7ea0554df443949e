# Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
# shellcheck shell=bash
#
# Part of install.sh: what has to be true before anything is changed. All paths are below
# HADOOP_HOME, which is the working directory.

own=share/hadoop/hdfs-local-cache
profiles=libexec/shellprofile.d
profile=$profiles/hdfs-localcache.sh
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
  [[ -d share/hadoop && -d libexec ]] \
    || die "$home: not a HADOOP_HOME: share/hadoop or libexec is missing; docs/operations.md says" \
      "what to put where by hand"
  find_hdfs
  find_release
}

# HDFS may lie elsewhere than the rest of Hadoop. What is in HADOOP_HOME comes first: the variable
# may be another Hadoop's.
find_hdfs() {
  local elsewhere
  hdfs=share/hadoop/hdfs
  if ! compgen -G "$hdfs/hadoop-hdfs-[0-9]*.jar" > /dev/null; then
    elsewhere=${HADOOP_HDFS_HOME:-$(setting HADOOP_HDFS_HOME)}
    [[ -n $elsewhere ]] || die "$home: there is no $hdfs/hadoop-hdfs-VERSION.jar; if it lies" \
      "elsewhere, set HADOOP_HDFS_HOME"
    [[ -d $elsewhere/$hdfs ]] || die "HADOOP_HDFS_HOME=$elsewhere: there is no $hdfs"
    hdfs=$(realpath --relative-to=. -- "$elsewhere/$hdfs")
    [[ $hdfs != *[[:space:]]* ]] || die "$home/$hdfs: a path with a space is not understood"
  fi
  pages=$hdfs/webapps/datanode
  page=$pages/datanode.html
  page_script=$pages/local-cache.js
}

# What hadoop-env.sh sets a variable to, if it is a path and no expression.
setting() { # <variable>
  [[ ! -r etc/hadoop/hadoop-env.sh ]] \
    || sed -n "s/^ *export $1=[\"']\{0,1\}\(\/[^\"'\$ ]*\).*/\1/p" etc/hadoop/hadoop-env.sh \
      | tail -n 1
}

# The release is known by the name of the jar that is patched.
find_release() {
  local file found=()
  for file in "$hdfs"/hadoop-hdfs-[0-9]*.jar; do
    [[ ! -e $file || $file == *-tests.jar ]] || found+=("$file")
  done
  [[ ${#found[@]} -gt 0 ]] || die "$home: there is no $hdfs/hadoop-hdfs-VERSION.jar"
  [[ ${#found[@]} -eq 1 ]] || die "$home: there are several: ${found[*]}; only one can be in use"
  jar=${found[0]}
  hadoop_version=${jar##*/hadoop-hdfs-}
  hadoop_version=${hadoop_version%.jar}
}

# Sets what is known of the release: SHA-256 of the jar, of its contents, of the patched jar, of the
# DataNode's web page, and of the patched page.
read_release() {
  local version known=()
  if [[ -n $given_jar ]]; then
    read_given_jar
    return 0
  fi
  while read -r version release_jar release_contents release_patched release_page \
    release_patched_page; do
    [[ $version != "$hadoop_version" ]] || return 0
    known+=("$version")
  done < "$here/hadoop/releases"
  die "$home: Hadoop $hadoop_version is not supported by this version of the local cache; it" \
    "supports ${known[*]}; for others, patches/build-for of its sources makes a jar for --jar"
}

# The page is left alone: nobody knows what the given jar's should be.
read_given_jar() {
  local made made_by
  made=$("$java" -cp "$here/install/install-tools.jar" io.hdfslocalcache.dist.MadeOf "$given_jar" \
    2> /dev/null) \
    || die "$given_jar: not a jar that patches/build-for made"
  read -r release_jar made_by <<< "$made"
  [[ $made_by == "$own_version" ]] \
    || die "$given_jar was made for the local cache $made_by: make it again with patches/build-for" \
      "of $own_version"
  release_contents=none release_patched=$(sha256 "$given_jar")
  release_page=none release_patched_page=none
}

check_distribution() {
  (cd "$here" && sha256sum --quiet --strict -c SHA256SUMS > /dev/null 2>&1) \
    || die "$here: its files are not those of SHA256SUMS; unpack the archive again"
}

# The jar must be the released one: the patches would undo what somebody else changed in it.
check_released_jar() {
  local found
  original_sha=$(sha256 "$jar")
  original_link=$(readlink -- "$jar" || true)
  if [[ $original_sha == "$release_patched" ]]; then
    die "$home/$jar is the patched jar, but was not put there by install.sh: put the released" \
      "one back first"
  fi
  # A release is packed more than once, with the same classes: its jars differ by their times.
  [[ $original_sha != "$release_jar" ]] || return 0
  [[ -z $given_jar ]] \
    || die "$home/$jar (SHA-256 $original_sha) is not the jar that $given_jar was made of" \
      "($release_jar): make one of it with patches/build-for"
  found=$("$java" -cp "$here/install/install-tools.jar" io.hdfslocalcache.dist.JarContents "$jar") \
    || die "$home/$jar cannot be read"
  [[ $found == "$release_contents" ]] \
    || die "$home/$jar is not the one of Apache Hadoop $hadoop_version (SHA-256 $original_sha):" \
      "it has other classes; patches/build-for of the sources makes a jar of it for --jar"
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

# Sets where the jars for the release are, and the Java that they need.
find_lib() {
  lib=$here/lib needed_java=17
  # Hadoop before 3.5 runs on older releases of Java.
  [[ ! $hadoop_version =~ ^3\.[0-4]\. ]] || lib=$here/lib-java8 needed_java=8
}

check_java() {
  local text
  JAVA_HOME=${JAVA_HOME:-$(setting JAVA_HOME)}
  java=${JAVA_HOME:+$JAVA_HOME/bin/}java
  text=$("$java" -version 2>&1) \
    || die "there is no $java: set JAVA_HOME to the Java that runs the DataNode"
  [[ $text =~ version\ \"(1\.)?([0-9]+) ]] || die "$java -version is not understood: ${text%%$'\n'*}"
  [[ ${BASH_REMATCH[2]} -ge $needed_java ]] \
    || die "$java is Java ${BASH_REMATCH[2]}, but the DataNode needs $needed_java or later for" \
      "the local cache; set JAVA_HOME to the Java that runs it"
}

check_permission() {
  local directory
  for directory in share/hadoop "$hdfs" "$pages" libexec "$profiles" "$own"; do
    [[ ! -e $directory || -w $directory && -x $directory ]] \
      || die "$home/$directory: $(id -un) may not write there; nothing was changed;" \
        "run it as $(stat -c %U -- "$directory")"
  done
}

# No two at a time.
lock() {
  $dry_run || { exec 9< "$home" && flock -n 9; } \
    || die "$home: another install.sh is at work there"
}
