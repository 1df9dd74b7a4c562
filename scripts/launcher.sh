#!/bin/sh
# Starts the PROGRAM of this archive with the archive's own Node.js, from wherever it was unpacked, also through symbolic links.
program=$0
case $program in
*/*) ;;
*) if [ -e "./$program" ]; then program=./$program; else program=$(command -v -- "$program"); fi ;;
esac
while [ -L "$program" ]; do
  target=$(readlink -- "$program")
  case $target in
  /*) program=$target ;;
  *) program=${program%/*}/$target ;;
  esac
done
lib=${program%/*}/../lib
# Settings for other programs that Node.js runs are not for this one.
unset NODE_OPTIONS
# Code that was compiled when the archive was made; without it the program is the same, only slower to start. Each user has a part of his own
# there, which Node.js would try to make.
if [ -w "$lib/compile-cache" ]; then export NODE_COMPILE_CACHE="$lib/compile-cache" NODE_COMPILE_CACHE_PORTABLE=1; fi
# Node.js forgets which signals it was started to ignore, by nohup or by a shell's `&`.
GROUNDPLANE_IGNORED_SIGNALS=
if [ -r "/proc/$$/status" ]; then
  while read -r name value; do
    [ "$name" = SigIgn: ] || continue
    case $value in *[13579bdfBDF]) GROUNDPLANE_IGNORED_SIGNALS=SIGHUP ;; esac
    case $value in *[2367abefABEF]) GROUNDPLANE_IGNORED_SIGNALS="$GROUNDPLANE_IGNORED_SIGNALS SIGINT" ;; esac
    break
  done <"/proc/$$/status"
fi
export GROUNDPLANE_IGNORED_SIGNALS
exec "$lib/node" "$lib/cli/dist/bin/PROGRAM.js" "$@"
