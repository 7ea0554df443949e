# Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
# shellcheck shell=bash
#
# Part of install.sh: the actions. Every file that a daemon may read comes and goes in one rename.
# The class path is there before the patched jar, and goes after it.

do_install() {
  local was
  find_lib
  check_java
  read_release
  check_distribution
  check_permission
  lock
  read_journal
  echo "Hadoop $hadoop_version in $home"
  if [[ $state == installed && $version == "$own_version" && $patched_sha == "$release_patched" \
    && -z $(differences) ]]; then
    echo "The local cache $version is installed already."
    return 0
  fi
  check_nothing_foreign
  was=$state
  if [[ $was != none ]]; then
    echo "The local cache $version is there ($(in_words)). It is taken out first."
    undo
  fi
  $dry_run || forget_journal
  $dry_run && [[ $was != none ]] || check_released_jar
  look_at_page "$was"
  put_in
}

in_words() {
  if [[ $state == installed ]]; then
    [[ -z $(differences) ]] && echo installed || echo damaged
  else
    echo "interrupted while $state"
  fi
}

put_in() {
  local file
  version=$own_version original=${jar##*/} patched_sha=$release_patched
  profile_sha=$(sha256 "$here/shellprofile.d/${profile##*/}")
  for file in "$lib"/*.jar; do libs[${file##*/}]=$(sha256 "$file"); done
  [[ -d $profiles ]] || created=$profiles
  note_times before
  take_back_on_failure
  step write "$journal" start_journal
  step keep "$own/original/$original" keep_original "$jar"
  step add "$own/lib" add_jars
  step add "$profile" add_profile
  put_in_page
  step replace "$jar" place "${given_jar:-$here/hadoop/$original}" "$jar"
  if $dry_run; then
    echo "Nothing was changed."
    return 0
  fi
  [[ -z $(differences) ]] || { differences >&2; exit 1; }
  note_times after
  write_journal installed
  trap - EXIT
  echo "The local cache $version is installed. DataNodes have it once they are restarted."
}

start_journal() {
  mkdir -p "$own"
  write_journal installing
}

keep_original() { # <file>
  mkdir -p "$own/original"
  # The same file, or link, under a second name: it comes back with everything that belongs to it.
  ln -P "$1" "$own/original/" 2> /dev/null || cp -Pp -- "$1" "$own/original/"
}

# The page asks for the script, and is as it was where there is none.
put_in_page() {
  if [[ -z $page_sha ]]; then
    echo "leave     $page (not the one of Apache Hadoop: it will not show the local cache)"
    return 0
  fi
  step keep "$own/original/${page##*/}" keep_original "$page"
  step add "$page_script" place "$here/webapps/${page_script##*/}" "$page_script"
  step replace "$page" place "$here/hadoop/webapps-$hadoop_version/${page##*/}" "$page"
}

add_jars() {
  mkdir -p "$own/lib"
  cp -- "$lib"/*.jar "$own/lib/"
  chmod 644 "$own"/lib/*.jar
  sync "$own"/lib/*.jar
}

add_profile() {
  mkdir -p "$profiles"
  place "$here/shellprofile.d/${profile##*/}" "$profile"
}

# In one rename, with the mode and owner of what was there.
place() { # <new file> <path>
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
  check_permission
  lock
  read_journal
  echo "Hadoop $hadoop_version in $home"
  if [[ $state == none && ! -e $own ]]; then
    echo "The local cache is not installed."
    return 0
  fi
  check_nothing_foreign
  undo
  if $dry_run; then
    echo "Nothing was changed."
  else
    echo "The local cache is uninstalled. DataNodes are without it once they are restarted."
  fi
}

# Files that are neither what was there before nor what was put there are somebody else's.
check_nothing_foreign() {
  local kept
  if [[ -e $profile && $(sha256 "$profile") != "${profile_sha:-none}" ]]; then
    die "$home/$profile is not the one that was installed: move it away; nothing was changed"
  fi
  if [[ -e $page_script && $(sha256 "$page_script") != "${page_script_sha:-none}" ]]; then
    die "$home/$page_script is not the one that was installed: move it away; nothing was changed"
  fi
  check_page_not_foreign
  is_same_release || return 0
  kept=$own/original/$original
  if [[ $(sha256 "$jar") == "$patched_sha" ]]; then
    is_kept \
      || die "$home/$kept is missing or damaged: put the released jar there; nothing was changed"
  elif ! is_like_original "$jar"; then
    die "$home/$jar is neither the released jar nor the installed one: put one of them back;" \
      "nothing was changed"
  fi
}

check_page_not_foreign() {
  local kept=$own/original/${page##*/}
  [[ -n $page_sha ]] || return 0
  if is_page_to_restore; then
    [[ -e $kept && $(sha256 "$kept") == "$page_sha" ]] \
      || die "$home/$kept is missing or damaged: put the released page there; nothing was changed"
  elif [[ -e $page && $(sha256 "$page") != "$page_sha" ]] && is_same_release; then
    die "$home/$page is neither the released page nor the installed one: put one of them back;" \
      "nothing was changed"
  fi
}

# False as well if Hadoop was upgraded in its place: then there is no jar to put back.
is_same_release() {
  [[ $state != none && $original == "${jar##*/}" ]]
}

# Takes back an installation, whole or half done. Can itself be interrupted and done again.
undo() {
  if ! $dry_run && [[ $state != none ]]; then
    forget_times_of_others
    write_journal uninstalling
  fi
  if is_same_release && [[ $(sha256 "$jar") == "$patched_sha" ]]; then
    step restore "$jar" mv -f "$own/original/$original" "$jar"
  fi
  undo_page
  step remove "$profile" rm -f "$profile" "$profile.new" "$jar.new"
  [[ -z $created || ! -d $created ]] || step remove "$created" rmdir_if_empty "$created"
  step remove "$own" remove_own
  $dry_run || restore_times
}

is_page_to_restore() {
  if [[ -e $page ]]; then
    [[ $(sha256 "$page") == "$patched_page_sha" ]]
  else
    [[ -d $pages ]] && is_same_release
  fi
}

undo_page() {
  [[ -n $page_sha ]] || return 0
  if is_page_to_restore; then
    step restore "$page" mv -f "$own/original/${page##*/}" "$page"
  fi
  step remove "$page_script" rm -f "$page_script" "$page_script.new" "$page.new"
}

rmdir_if_empty() { # <directory>
  rmdir --ignore-fail-on-non-empty "$1"
}

remove_own() {
  if is_same_release && ! is_like_original "$jar"; then
    die "$home/$jar could not be put back"
  fi
  rm -rf "${own:?}/lib" "$own/original"
  rm -f "$journal.new" "$journal"
  rmdir "$own"
}

do_status() {
  lock
  read_journal
  echo "Hadoop $hadoop_version in $home"
  case $state in
    none)
      echo "The local cache is not installed."
      exit 3
      ;;
    installed)
      if [[ -n $(differences) ]]; then
        echo "The local cache $version is damaged:"
        differences | sort
        exit 1
      fi
      echo "The local cache $version is installed, and all its files are as they were put there."
      ;;
    *)
      echo "The local cache $version was interrupted while $state: install finishes it, uninstall" \
        "takes it out."
      exit 1
      ;;
  esac
}
