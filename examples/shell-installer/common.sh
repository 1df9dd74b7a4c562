# What every maker of files does. Sourced when `here` and `description` are set.

umask 077
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Asks the description: a program in the words of contract.jq and another module, and options of jq.
ask() { # MODULE PROGRAM [OPTION…]
  module=$1 program=$2
  shift 2
  jq -r -L "$here" "$@" "include \"contract\"; include \"$module\"; $program" "$description"
}

# Sets shell variables to what a program of contract.jq says about the artifact $id.
facts() { # PROGRAM
  issuer_path='' within_issuer=''
  assignments=$(ask contract "$1 | assignments" --arg id "$id")
  eval "$assignments"
}

# Makes folders that are missing above a file.
make_folders() { # FOLDER MODE
  if [ -d "$1" ]; then return 0; fi
  make_folders "$(dirname "$1")" "$2"
  mkdir "$1"
  chmod "$2" "$1"
}

# Puts a finished file in the place that the facts tell, all at once.
put() { # SOURCE
  make_folders "$(dirname "$path")" "$directory_mode"
  cp "$1" "$path.new"
  chmod "$mode" "$path.new"
  chown "$owner" "$path.new"
  mv "$path.new" "$path"
  echo "made $path"
}

# Runs a program that talks even when all is well.
quietly() {
  "$@" 2>"$work/said" || { cat "$work/said" >&2 && exit 1; }
}
