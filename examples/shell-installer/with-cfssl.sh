#!/bin/sh
# Makes the keys and certificates that a description of the phases demands, with cfssl. What is there already stays.
# cfssl does not write public keys; openssl does that.
# Usage: with-cfssl.sh DESCRIPTION
set -eu
here=$(cd "$(dirname "$0")" && pwd)
description=$1
. "$here/common.sh"

# Runs cfssl, which answers with JSON that holds the key and the certificate.
run_cfssl() {
  quietly cfssl "$@" >"$work/answer.json"
}

put_answer() { # FIELD
  jq -j ".$1" "$work/answer.json" >"$work/$1"
  put "$work/$1"
}

ids=$(ask contract certificates)
for id in $ids; do
  facts 'certificate_facts($id)'
  if [ -e "$path" ]; then continue; fi
  if [ -e "$key_path" ]; then echo "Cannot make $path as its key is there already: $key_path" >&2 && exit 1; fi
  if [ -n "$issuer_path" ]; then
    issuer=null
    if [ "$within_issuer" = true ]; then issuer=$(cfssl certinfo -cert "$issuer_path"); fi
    hours=$(ask cfssl 'hours($days; $issuer)' --argjson days "$days" --argjson issuer "$issuer")
    ask cfssl 'certificate($id) | policy($hours)' --arg id "$id" --arg hours "$hours" >"$work/policy.json"
    set -- -ca "$issuer_path" -ca-key "$issuer_key_path" -config "$work/policy.json"
  else
    hours=$(ask cfssl 'hours($days; null)' --argjson days "$days")
    set -- -initca
  fi
  ask cfssl 'certificate($id) | request($hours)' --arg id "$id" --arg hours "$hours" >"$work/request.json"
  run_cfssl gencert "$@" "$work/request.json"
  # The key comes first: without it nobody could use the certificate.
  facts 'file(key_of($id).id)'
  put_answer key
  facts 'file($id)'
  put_answer cert
done

# What is left are keys without a certificate.
ids=$(ask contract private_keys)
for id in $ids; do
  facts 'private_key_facts($id)'
  if [ -e "$path" ]; then continue; fi
  ask cfssl '{ CN: $id, key: ($algorithm | key) }' --arg id "$id" --arg algorithm "$algorithm" >"$work/request.json"
  run_cfssl genkey "$work/request.json"
  put_answer key
done

ids=$(ask contract public_keys)
for id in $ids; do
  facts 'public_key_facts($id)'
  if [ -e "$path" ]; then continue; fi
  openssl pkey -in "$key_path" -pubout -out "$work/public.pem"
  put "$work/public.pem"
done
