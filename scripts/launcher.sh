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
exec "$lib/node" "$lib/cli/dist/bin/PROGRAM.js" "$@"
