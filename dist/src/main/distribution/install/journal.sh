# Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
# shellcheck shell=bash
#
# Part of install.sh: the journal, which says what was put in and what was there before. It is the
# first file to come and the last to go, so that whatever happens in between can be gone on with or
# taken back.

journal=$own/journal

forget_journal() {
  state=none # or installing, installed, uninstalling
  version='' original='' original_sha='' original_link='' patched_sha='' profile_sha='' created=''
  page_sha='' patched_page_sha='' page_script_sha='' # all empty: the page was left alone
  declare -gA libs=()   # SHA-256 by file name
  declare -gA before=() # times of directories by their path, in seconds
  declare -gA after=()
}

read_journal() {
  local key value rest
  forget_journal
  if [[ ! -e $journal ]]; then
    [[ ! -e $own ]] || is_left_over || die "$home/$own is not from install.sh: move it away"
    return 0
  fi
  while read -r key value rest; do
    case $key in
      state) state=$value ;;
      version) version=$value ;;
      original) original_sha=$value original=$rest ;;
      link) original_link=$value${rest:+ $rest} ;;
      patched) patched_sha=$value ;;
      profile) profile_sha=$value ;;
      created) created=$value ;;
      page) page_sha=$value patched_page_sha=$rest ;;
      page_script) page_script_sha=$value ;;
      lib) libs[$rest]=$value ;;
      before) before[$value]=$rest ;;
      after) after[$value]=$rest ;;
      '#') ;;
      *) die "$home/$journal is damaged: $key" ;;
    esac
  done < "$journal"
  [[ $state =~ ^(installing|installed|uninstalling)$ && -n $original ]] \
    || die "$home/$journal is damaged: it has no state"
}

# From before the first journal, or after the last.
is_left_over() {
  [[ -d $own && ! -L $own && -z $(find "$own" -mindepth 1 ! -name journal.new -print -quit) ]]
}

write_journal() { # <state>
  local key
  state=$1
  {
    echo "# What install.sh of the HDFS DataNode Local Cache did here, for its uninstall."
    echo "state $state"
    echo "version $version"
    echo "original $original_sha $original"
    [[ -z $original_link ]] || echo "link $original_link"
    echo "patched $patched_sha"
    echo "profile $profile_sha"
    [[ -z $created ]] || echo "created $created"
    [[ -z $page_sha ]] || echo "page $page_sha $patched_page_sha"
    [[ -z $page_sha ]] || echo "page_script $page_script_sha"
    for key in "${!libs[@]}"; do echo "lib ${libs[$key]} $key"; done
    for key in "${!before[@]}"; do echo "before $key ${before[$key]}"; done
    for key in "${!after[@]}"; do echo "after $key ${after[$key]}"; done
  } > "$journal.new"
  sync "$journal.new"
  mv -f "$journal.new" "$journal"
}

# The times of directories in which files come and go are put back with the files.
note_times() { # before|after
  local directory
  local -n times=$1
  for directory in share/hadoop "$hdfs" "$pages" libexec "$profiles"; do
    # shellcheck disable=SC2004 # the path is the key
    [[ ! -d $directory ]] || times[$directory]=$(stat -c %.9Y -- "$directory")
  done
}

# What somebody else has changed in the meantime keeps its time.
forget_times_of_others() {
  local directory
  for directory in "${!after[@]}"; do
    [[ $(stat -c %.9Y -- "$directory" 2> /dev/null) == "${after[$directory]}" ]] \
      || unset "before[$directory]"
  done
  after=()
}

restore_times() {
  local directory
  for directory in "${!before[@]}"; do
    [[ ! -d $directory ]] || touch -d "@${before[$directory]}" -- "$directory"
  done
}

# What is not as it was put there, a line for each file.
differences() {
  local name
  difference "$jar" "$patched_sha"
  difference "$profile" "$profile_sha"
  is_kept || echo "$own/original/$original: missing or changed"
  if [[ -n $page_sha ]]; then
    difference "$page" "$patched_page_sha"
    difference "$page_script" "$page_script_sha"
    difference "$own/original/${page##*/}" "$page_sha"
  fi
  for name in "${!libs[@]}"; do difference "$own/lib/$name" "${libs[$name]}"; done
  for name in "$own"/lib/*; do
    [[ ! -e $name || -n ${libs[${name##*/}]:-} ]] || echo "$name: not from install.sh"
  done
}

# The original is kept: a file by its SHA-256, a link by where it leads from its own place.
is_kept() {
  is_like_original "$own/original/$original"
}

is_like_original() { # <file>
  if [[ -n $original_link ]]; then
    [[ $(readlink -- "$1") == "$original_link" ]]
  else
    [[ -f $1 && $(sha256 "$1") == "$original_sha" ]]
  fi
}

difference() { # <file> <SHA-256>
  if [[ ! -e $1 ]]; then
    echo "$1: missing"
  elif [[ $(sha256 "$1") != "$2" ]]; then
    echo "$1: changed"
  fi
}
