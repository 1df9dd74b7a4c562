#!/bin/sh
# Makes a control plane whose keys and certificates another tool makes: asks Groundplane what they have to be, has the tool make them, and
# runs init without its phase certs.
# Usage: install.sh [--tool openssl|cfssl] [--kubeconfigs] --config FILE [flags of groundplane init…]
set -eu
here=$(cd "$(dirname "$0")" && pwd)

fail() {
  echo "install.sh: $1" >&2
  exit 2
}

tool=openssl with_kubeconfigs=no config=''
while [ $# -gt 0 ]; do
  case $1 in
  --tool | --config)
    if [ $# -lt 2 ]; then fail "the value of $1 is missing"; fi
    if [ "$1" = --tool ]; then tool=$2; else config=$2; fi
    shift 2
    ;;
  --kubeconfigs) with_kubeconfigs=yes && shift ;;
  *) break ;;
  esac
done
case $tool in openssl | cfssl) ;; *) fail "--tool is openssl or cfssl: $tool" ;; esac
if [ -z "$config" ]; then fail '--config FILE is missing; it comes before the flags of groundplane init'; fi
if [ "$with_kubeconfigs $tool" = 'yes cfssl' ]; then fail '--kubeconfigs goes with --tool openssl'; fi

description=$(mktemp)
trap 'rm -f "$description"' EXIT
groundplane phases describe --workflow init --config "$config" -o json >"$description"
if [ "$with_kubeconfigs" = yes ]; then
  "$here/with-openssl.sh" --kubeconfigs "$description"
  groundplane init --config "$config" --skip-phases certs,kubeconfig "$@"
else
  "$here/with-$tool.sh" "$description"
  groundplane init --config "$config" --skip-phases certs "$@"
fi
