# Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
# shellcheck shell=bash
#
# Part of install.sh: what it says and how it ends.

die() {
  echo "install.sh: $*" >&2
  exit 1
}

# One change: a word, the file, and the command that does it.
step() { # <verb> <file> <command>...
  printf '%-9s %s\n' "$1" "$2"
  $dry_run || "${@:3}"
}

# An installation that fails or is interrupted on its way is taken back. What cannot be caught
# (kill -9, a crash) leaves a journal behind, by which the next call goes on or takes it back.
take_back_on_failure() {
  $dry_run || trap 'end_of_failed_install $?' EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

end_of_failed_install() { # <exit code>
  trap - EXIT
  trap '' HUP INT TERM
  exec 9<&-
  # In a process of its own: in this trap the shell would go on after an error.
  if "$here/install.sh" uninstall "$home" > /dev/null && restore_times; then
    echo "install.sh: the installation failed and was taken back: $home is as it was" >&2
  else
    echo "install.sh: the installation failed and could not be taken back: mend what is said" \
      "above, then uninstall" >&2
  fi
  exit "$1"
}
