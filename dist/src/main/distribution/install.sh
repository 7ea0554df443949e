#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
#
# Installs the local cache into a Hadoop on this host, shows its status, and uninstalls it.
#
# The list is written first and deleted last. It has the SHA-256 of every installed file, and of the
# two originals. The state of each file is known from its SHA-256 alone, so that an interrupted run
# can be finished or undone by another run.
set -euo pipefail
umask 022

here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)

usage() {
  cat << 'END'
Usage: install.sh [--dry-run] [--jar JAR] install|status|uninstall HADOOP_HOME

  install     keeps the released hadoop-hdfs jar aside, and installs the patched one and the local
              cache; also finishes an interrupted install, and replaces another version
  status      shows the installed version, and compares its files with the installed ones
  uninstall   restores everything as it was before; also undoes an interrupted install
  --dry-run   shows what would be done, and changes nothing
  --jar JAR   installs this jar, which patches/build-for made from the hadoop-hdfs jar installed
              here: for a Hadoop that is not one of Apache's releases

Restart running daemons to apply a change. JAVA_HOME is the Java that runs the DataNode. If
HADOOP_HOME has no HDFS, the one in HADOOP_HDFS_HOME is used. Exit codes: 0 done (status:
installed), 1 failed (status: half done or damaged), 2 wrong usage, 3 status: not installed.
END
}

wrong_use() {
  echo "install.sh: $1; see install.sh --help" >&2
  exit 2
}

die() {
  echo "install.sh: $*" >&2
  exit 1
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
action=${words[0]-}
case $action in
  install | status | uninstall) ;;
  '') wrong_use "expected install, status or uninstall" ;;
  *) wrong_use "unknown action: $action" ;;
esac
[[ -z $given_jar || $action == install ]] || wrong_use "--jar is for install"
[[ ${#words[@]} -eq 2 ]] || wrong_use "expected one HADOOP_HOME after $action"

own=share/hadoop/hdfs-local-cache
list=$own/SHA256SUMS
profiles=libexec/shellprofile.d
profile=$profiles/hdfs-localcache.sh
pages_name=webapps/datanode page_name=datanode.html script_name=local-cache.js
own_version=$(< "$here/VERSION")

# One change: a word, the file, and the command that does it.
step() { # <verb> <file> <command>...
  printf '%-9s %s\n' "$1" "$2"
  $dry_run || "${@:3}"
}

sha256() { # <file>; of no file, nothing
  local line
  [[ -f $1 ]] || return 0
  line=$(sha256sum < "$1")
  echo "${line%% *}"
}

tool() { # <class> <file>
  "$java" -cp "$here/install/install-tools.jar" "io.hdfslocalcache.dist.$1" "$2"
}

# What hadoop-env.sh sets a variable to, if it is a path and no expression.
setting() { # <variable>
  [[ ! -r etc/hadoop/hadoop-env.sh ]] \
    || sed -n "s/^ *export $1=[\"']\{0,1\}\(\/[^\"'\$ ]*\).*/\1/p" etc/hadoop/hadoop-env.sh \
      | tail -n 1
}

enter_hadoop_home() { # <directory>
  [[ -d $1 ]] || die "$1: no such directory"
  cd -P -- "$1" || die "$1: cannot enter the directory"
  home=$PWD
  [[ -d share/hadoop && -d libexec ]] \
    || die "$home: not a HADOOP_HOME: share/hadoop or libexec is missing; docs/operations.md says" \
      "what to put where by hand"
}

# Finds the HDFS to install into. It may be in another directory than the rest of Hadoop, but
# HADOOP_HOME comes first: the variable may belong to another Hadoop. Links may change later.
find_hdfs() {
  local elsewhere file found=()
  hdfs=share/hadoop/hdfs
  if ! compgen -G "$hdfs/hadoop-hdfs-[0-9]*.jar" > /dev/null; then
    elsewhere=${HADOOP_HDFS_HOME:-$(setting HADOOP_HDFS_HOME)}
    [[ -n $elsewhere ]] || die "$home: there is no $hdfs/hadoop-hdfs-VERSION.jar; if it lies" \
      "elsewhere, set HADOOP_HDFS_HOME"
    [[ -d $elsewhere/$hdfs ]] || die "HADOOP_HDFS_HOME=$elsewhere: there is no $hdfs"
    hdfs=$elsewhere/$hdfs
  fi
  hdfs=$(realpath --relative-to=. -- "$hdfs")
  [[ $hdfs != *[[:space:]]* ]] || die "$home/$hdfs: paths with spaces are not supported"
  for file in "$hdfs"/hadoop-hdfs-[0-9]*.jar; do
    [[ ! -e $file || $file == *-tests.jar ]] || found+=("$file")
  done
  [[ ${#found[@]} -gt 0 ]] || die "$home: there is no $hdfs/hadoop-hdfs-VERSION.jar"
  [[ ${#found[@]} -eq 1 ]] || die "$home: found several: ${found[*]}; only one can be in use"
  use_hdfs "${found[0]}"
}

# Sets the paths in HDFS. The name of the jar to patch has the release.
use_hdfs() { # <jar>
  jar=$1
  hdfs=${jar%/*}
  pages=$hdfs/$pages_name
  page=$pages/$page_name
  page_script=$pages/$script_name
  hadoop_version=${jar##*/hadoop-hdfs-}
  hadoop_version=${hadoop_version%.jar}
}

# Sets the data of the release: SHA-256 of the jar, of its contents, of the patched jar, of the
# DataNode's web page, and of the patched page. With a given jar, the page is not changed, because
# its original is unknown.
read_release() {
  local version made made_by known=()
  if [[ -n $given_jar ]]; then
    made=$(tool MadeOf "$given_jar" 2> /dev/null) \
      || die "$given_jar: not a jar that patches/build-for made"
    read -r release_jar made_by <<< "$made"
    [[ $made_by == "$own_version" ]] \
      || die "$given_jar was made for the local cache $made_by: make it again with" \
        "patches/build-for of $own_version"
    release_contents=none release_patched=$(sha256 "$given_jar") release_page=none
    return 0
  fi
  while read -r version release_jar release_contents release_patched release_page _; do
    [[ $version != "$hadoop_version" ]] || return 0
    known+=("$version")
  done < "$here/hadoop/releases"
  die "$home: Hadoop $hadoop_version is not supported by this version of the local cache; it" \
    "supports ${known[*]}; for others, patches/build-for of its sources makes a jar for --jar"
}

# Sets the directory of jars for the release: Hadoop before 3.5 runs on older releases of Java.
check_java() {
  local text needed=17
  lib=$here/lib
  [[ ! $hadoop_version =~ ^3\.[0-4]\. ]] || lib=$here/lib-java8 needed=8
  JAVA_HOME=${JAVA_HOME:-$(setting JAVA_HOME)}
  java=${JAVA_HOME:+$JAVA_HOME/bin/}java
  text=$("$java" -version 2>&1) \
    || die "there is no $java: set JAVA_HOME to the Java that runs the DataNode"
  [[ $text =~ version\ \"(1\.)?([0-9]+) ]] || die "cannot parse $java -version: ${text%%$'\n'*}"
  [[ ${BASH_REMATCH[2]} -ge $needed ]] \
    || die "$java is Java ${BASH_REMATCH[2]}, but the DataNode needs $needed or later for" \
      "the local cache; set JAVA_HOME to the Java that runs it"
}

# The jar must be the released one: patches would undo other changes in it.
check_released_jar() { # <file>
  local sum contents
  sum=$(sha256 "$1")
  [[ $sum != "$release_patched" ]] \
    || die "$home/$jar is the patched jar, but was not put there by install.sh: put the released" \
      "one back first"
  # A release is packed more than once, with the same classes: its jars differ in their times.
  [[ $sum != "$release_jar" ]] || return 0
  [[ -z $given_jar ]] \
    || die "$home/$jar (SHA-256 $sum) is not the jar that $given_jar was made of" \
      "($release_jar): make one of it with patches/build-for"
  contents=$(tool JarContents "$1") || die "$home/$jar cannot be read"
  [[ $contents == "$release_contents" ]] \
    || die "$home/$jar is not the one of Apache Hadoop $hadoop_version (SHA-256 $sum):" \
      "it has other classes; patches/build-for of the sources makes a jar of it for --jar"
}

check_permission() {
  local directory
  for directory in share/hadoop "$hdfs" "$pages" libexec "${files[@]%/*}" "$own"; do
    [[ ! -e $directory || -w $directory && -x $directory ]] \
      || die "$home/$directory: $(id -un) may not write there; nothing was changed;" \
        "run it as $(stat -c %U -- "$directory")"
  done
}

# Sets sums, SHA-256 by path, and version of the complete or partial installation, and its jar.
# Empty if there is none. Also sets files, those outside of the own directory. Locks out other runs
# of install.sh from here on.
read_list() {
  local sum path rest name='' listed
  $dry_run || { exec 9< "$home" && flock -n 9; } \
    || die "$home: another install.sh is running there"
  declare -gA sums=()
  version='' installed_jar='' files=("$profile")
  if [[ -e $own/journal ]]; then
    # Version 1.0 had another format. Only its times of directories say where HDFS is.
    listed=$(sed -n 's|^[a-z]* \(.*share/hadoop/hdfs\)\(/webapps/datanode\)\{0,1\} [0-9.]*$|\1|p' \
      "$own/journal" | tail -n 1)
    [[ -n $listed ]] || { find_hdfs; listed=$hdfs; }
    while read -r path sum rest; do
      case $path in
        version) version=$sum ;;
        original) name=$rest sums[$own/original/$rest]=$sum ;;
        patched) sums[$listed/$name]=$sum ;;
        profile) sums[$profile]=$sum ;;
        page) sums[$own/original/$page_name]=$sum sums[$listed/$pages_name/$page_name]=$rest ;;
        page_script) sums[$listed/$pages_name/$script_name]=$sum ;;
        lib) sums[$own/lib/$rest]=$sum ;;
      esac
    done < "$own/journal"
  elif [[ -e $list ]]; then
    while read -r sum path; do
      case $sum in
        '#') version=${path##* } ;;
        *) sums[$path]=$sum ;;
      esac
    done < "$list"
  else
    [[ ! -e $own || -d $own && -z $(find "$own" -mindepth 1 ! -name "${list##*/}.new" -print -quit) ]] \
      || die "$home/$own is not from install.sh: move it away"
    return 0
  fi
  for path in "${!sums[@]}"; do
    case $path in
      "$own"/* | "$profile") ;;
      *.jar) installed_jar=$path files=("$path" "${files[@]}") ;;
      *) files+=("$path") ;;
    esac
  done
  [[ -n $version && -n $installed_jar && ${#sums[@]} -gt 2 ]] || die "$home/$list is damaged"
}

# What is installed is in the HDFS of the list. Another may be found today.
use_listed_hdfs() {
  if [[ -e $installed_jar ]]; then use_hdfs "$installed_jar"; else find_hdfs; fi
}

kept() { # <file>: where the original of a replaced file is kept
  echo "$own/original/${1##*/}"
}

# Prints a line for each file that is missing or changed.
differences() {
  local file
  for file in "${!sums[@]}"; do
    if [[ ! -e $file && ! -L $file ]]; then
      echo "$file: missing"
    elif [[ -L $file ]]; then
      [[ $file == "$own"/original/* ]] || echo "$file: changed"
    elif [[ $(sha256 "$file") != "${sums[$file]}" ]]; then
      echo "$file: changed"
    fi
  done
  for file in "$own"/lib/*; do
    [[ ! -e $file || -n ${sums[$file]:-} ]] || echo "$file: not from install.sh"
  done
}

is_added() { # <file>: whether a listed file has no original
  [[ $1 == "$profile" || $1 == */$script_name ]]
}

# Whether the original of a replaced file must be restored. Files that are neither the original nor
# the installed one are foreign.
is_replaced() { # <file>
  local found kept what=page
  found=$(sha256 "$1")
  kept=$(kept "$1")
  [[ $1 != *.jar ]] || what=jar
  [[ -n ${sums[$1]:-} ]] || return 1
  # If the jar is gone, Hadoop was upgraded in its place: there is none to put back.
  if [[ $found == "${sums[$1]}" || -z $found && -d ${1%/*} && -e $installed_jar ]]; then
    [[ -L $kept || -n ${sums[$kept]:-} && $(sha256 "$kept") == "${sums[$kept]}" ]] \
      || die "$home/$kept is missing or damaged: restore the released $what; nothing was changed"
    return 0
  fi
  [[ -z $found || $found == "${sums[$kept]:-}" || ! -e $installed_jar ]] \
    || die "$home/$1 is neither the released $what nor the installed one: restore one of them;" \
      "nothing was changed"
  return 1
}

# Path of the original of a file. A link kept aside is relative to its old place.
original() { # <file>
  local target
  is_replaced "$1" || { echo "$1"; return 0; }
  target=$(kept "$1")
  if [[ -L $target ]]; then
    target=$(readlink "$target")
    [[ $target == /* ]] || target=${1%/*}/$target
  fi
  echo "$target"
}

check_nothing_foreign() {
  local file
  [[ -z $installed_jar || -e $installed_jar || $(sha256 "$jar") != "${sums[$installed_jar]}" ]] \
    || die "$home/$jar was installed as $home/$installed_jar: move HDFS back there; nothing was" \
      "changed"
  for file in "${files[@]}" "$page_script"; do
    if ! is_added "$file"; then
      is_replaced "$file" || true
    elif [[ -e $file && $(sha256 "$file") != "${sums[$file]:-none}" ]]; then
      die "$home/$file is not the one that was installed: move it away; nothing was changed"
    fi
  done
}

do_install() {
  find_hdfs
  check_java
  read_release
  (cd "$here" && sha256sum --quiet --strict -c SHA256SUMS > /dev/null 2>&1) \
    || die "$here: its files do not match SHA256SUMS; unpack the archive again"
  read_list
  # The same directory may have been listed by another name.
  [[ ! -e $installed_jar || ! ${installed_jar%/*} -ef $hdfs ]] || use_hdfs "$installed_jar"
  check_permission
  echo "Hadoop $hadoop_version in $home"
  if [[ $version == "$own_version" && ${sums[$jar]:-} == "$release_patched" \
    && -z $(differences) ]]; then
    echo "The local cache $version is installed already."
    check_configuration
    return 0
  fi
  check_nothing_foreign
  original_jar=$(original "$jar")
  original_page=$(original "$page")
  check_released_jar "$original_jar"
  new=${given_jar:-$here/hadoop/${jar##*/}} new_page=''
  # A page that is not the released one (a vendor's, or none) is not changed: everything else works.
  [[ -L $original_page || $(sha256 "$original_page") != "$release_page" ]] \
    || new_page=$here/hadoop/webapps-$hadoop_version/${page##*/}
  trap 'echo "install.sh: not done: install again to finish it, or uninstall to undo it" >&2' EXIT
  if [[ -n $version ]]; then
    echo "The local cache $version is installed. It is uninstalled first."
    undo
    find_hdfs
  fi
  put_in
  trap - EXIT
  if $dry_run; then
    echo "Nothing was changed."
    return 0
  fi
  echo "The local cache $own_version is installed. Restart the DataNodes to use it."
  check_configuration
}

# What stops the DataNode's start, or is misspelt, is told before the restart, and may be mended
# later. A thread that hangs in an SSD keeps a JVM from ending, and its files open: nothing waits
# for either.
check_configuration() {
  local status=0 errors='' text=''
  [[ -x bin/hdfs ]] || return 0
  # Errors come first. If the check succeeds, its output follows them, between NULs.
  { IFS= read -r -d '' -t 15 errors && IFS= read -r -d '' text; } < <(
    exec 2>&1 < /dev/null 9<&-
    # The variables may belong to another Hadoop.
    text=$(env -u HADOOP_LIBEXEC_DIR -u HADOOP_COMMON_HOME HADOOP_HOME="$home" \
      bin/hdfs localcache check-config) && printf '\0%s\0' "$text"
  ) || status=$?
  case $status in
    0)
      # Warnings come before the last line.
      [[ $text != *$'\n'* ]] \
        || echo "install.sh: check-config says of the configuration: ${text%$'\n'*}"
      return 0
      ;;
    1) echo "install.sh: before the restart, fix the configuration:" ;;
    *) echo "install.sh: the configuration was not checked within 15 s. An SSD may hang, or the host is busy." ;;
  esac >&2
  printf '%s' "$errors" >&2
}

put_in() {
  step write "$list" write_list
  step keep "$(kept "$jar")" keep "$jar"
  step add "$own/lib" add_jars
  step add "$profile" place "$here/shellprofile.d/${profile##*/}" "$profile"
  if [[ -n $new_page ]]; then
    # The page asks for the script.
    step keep "$(kept "$page")" keep "$page"
    step add "$page_script" place "$here/webapps/${page_script##*/}" "$page_script"
    step replace "$page" place "$new_page" "$page"
  else
    echo "leave     $page (not the one of Apache Hadoop: it will not show the local cache)"
  fi
  # The class path is added before the patched jar, and removed after it.
  step replace "$jar" place "$new" "$jar"
}

write_list() {
  local file
  mkdir -p "$own"
  {
    echo "# The local cache $own_version"
    line "$jar" "$(kept "$jar")"
    line "$new" "$jar"
    line "$here/shellprofile.d/${profile##*/}" "$profile"
    for file in "$lib"/*.jar; do line "$file" "$own/lib/${file##*/}"; done
    if [[ -n $new_page ]]; then
      line "$page" "$(kept "$page")"
      line "$new_page" "$page"
      line "$here/webapps/${page_script##*/}" "$page_script"
    fi
  } > "$list.new"
  sync "$list.new"
  mv -f "$list.new" "$list"
}

line() { # <file now> <where it will be>
  echo "$(sha256 "$1")  $2"
}

keep() { # <file>
  mkdir -p "$own/original"
  duplicate "$1" "$(kept "$1")"
}

# A second name for the same file or link, which has all its attributes; or a copy on another file
# system.
duplicate() { # <file> <path>
  ln -P "$1" "$2" 2> /dev/null || cp -Pp -- "$1" "$2"
  [[ -L $2 ]] || sync "$2"
}

add_jars() {
  mkdir -p "$own/lib"
  cp -- "$lib"/*.jar "$own/lib/"
  chmod 644 "$own"/lib/*.jar
  sync "$own"/lib/*.jar
}

# By one rename, with mode and owner of the old file: a daemon may read it at any time.
place() { # <new file> <path>
  mkdir -p "$(dirname "$2")"
  cp -- "$1" "$2.new"
  chmod 644 "$2.new"
  if [[ -e $2 ]]; then
    chmod --reference="$2" "$2.new"
    [[ $EUID -ne 0 ]] || chown --reference="$2" "$2.new"
  fi
  sync "$2.new"
  mv -f "$2.new" "$2"
}

do_uninstall() {
  read_list
  use_listed_hdfs
  check_permission
  echo "Hadoop $hadoop_version in $home"
  if [[ -z $version && ! -e $own ]]; then
    echo "The local cache is not installed."
    return 0
  fi
  check_nothing_foreign
  undo
  $dry_run && echo "Nothing was changed." \
    || echo "The local cache is uninstalled. Restart the DataNodes to stop using it."
}

# Removes a complete or partial installation. Can be interrupted and repeated.
undo() {
  local file
  for file in "${files[@]}"; do
    is_added "$file" || ! is_replaced "$file" || step restore "$file" restore "$file"
  done
  for file in "${files[@]}"; do
    ! is_added "$file" || step remove "$file" rm -f "$file"
  done
  step remove "$own" remove_own
}

# By one rename, which a move from another file system is not. What an interrupted run left goes
# first: it may be a second name for the kept file, which stays until all is restored.
restore() { # <file>
  rm -f "$1.new"
  duplicate "$(kept "$1")" "$1.new"
  mv -f "$1.new" "$1"
}

remove_own() {
  rm -f "${files[@]/%/.new}"
  # Hadoop may have examples there. If not, the directory was created for the profile.
  [[ ! -d $profiles || -L $profiles ]] || rmdir --ignore-fail-on-non-empty "$profiles"
  rm -rf "${own:?}/lib" "$own/original"
  rm -f "$list.new" "$list" "$own/journal"
  # Others' files stay.
  rmdir --ignore-fail-on-non-empty "$own"
}

do_status() {
  read_list
  use_listed_hdfs
  echo "Hadoop $hadoop_version in $home"
  if [[ -z $version ]]; then
    echo "The local cache is not installed."
    exit 3
  elif [[ -n $(differences) ]]; then
    echo "The local cache $version is damaged, or half installed: install repairs it, uninstall" \
      "removes it. Both ask you first to move away files changed by others."
    differences | sort
    exit 1
  fi
  echo "The local cache $version is installed, and all its files are unchanged."
}

enter_hadoop_home "${words[1]}"
"do_$action"
