#!/bin/sh
# Makes the keys and certificates that a description of the phases demands, with openssl; with --kubeconfigs the kubeconfigs, too.
# What is there already stays.
# Usage: with-openssl.sh [--kubeconfigs] DESCRIPTION
set -eu
here=$(cd "$(dirname "$0")" && pwd)
with_kubeconfigs=no
if [ "${1-}" = --kubeconfigs ]; then with_kubeconfigs=yes && shift; fi
description=$1
. "$here/common.sh"
: >"$work/index.txt"

new_key() { # ALGORITHM ENCODING FILE
  case $1 in
  RSA-*) type=RSA parameter=rsa_keygen_bits:${1#RSA-} ;;
  ECDSA-P*) type=EC parameter=ec_paramgen_curve:P-${1#ECDSA-P} ;;
  *) echo "Cannot make a key as openssl is not told how: $1" >&2 && exit 1 ;;
  esac
  case $2 in
  PKCS#1 | SEC1) traditional=-traditional ;;
  PKCS#8) traditional='' ;;
  *) echo "Cannot write a key as openssl is not told how: $2" >&2 && exit 1 ;;
  esac
  openssl genpkey -quiet -algorithm "$type" -pkeyopt "$parameter" | openssl pkey $traditional -out "$3"
}

# Signs what the program says of the artifact $id; who signs is in the facts.
new_certificate() { # PROGRAM KEY FILE
  ask openssl "$1 | configuration(\$work)" --arg id "$id" --arg work "$work" >"$work/openssl.cnf"
  quietly openssl req -new -config "$work/openssl.cnf" -key "$2" -out "$work/request.pem"
  issuer_end=''
  if [ "$within_issuer" = true ]; then issuer_end=$(openssl x509 -noout -enddate -in "$issuer_path"); fi
  end=$(ask openssl 'end_date($days; $issuer_end)' --argjson days "$days" --arg issuer_end "${issuer_end#notAfter=}")
  if [ -n "$issuer_path" ]; then
    set -- "$@" -cert "$issuer_path" -keyfile "$issuer_key_path"
  else
    set -- "$@" -selfsign -keyfile "$2"
  fi
  file=$3
  shift 3
  quietly openssl ca -batch -notext -config "$work/openssl.cnf" -extensions extensions -in "$work/request.pem" \
    -enddate "$end" "$@" -out "$file"
}

ids=$(ask contract private_keys)
for id in $ids; do
  facts 'private_key_facts($id)'
  if [ -e "$path" ]; then continue; fi
  new_key "$algorithm" "$encoding" "$work/key.pem"
  put "$work/key.pem"
done

ids=$(ask contract public_keys)
for id in $ids; do
  facts 'public_key_facts($id)'
  if [ -e "$path" ]; then continue; fi
  openssl pkey -in "$key_path" -pubout -out "$work/public.pem"
  put "$work/public.pem"
done

ids=$(ask contract certificates)
for id in $ids; do
  facts 'certificate_facts($id)'
  if [ -e "$path" ]; then continue; fi
  new_certificate 'certificate($id)' "$key_path" "$work/certificate.pem"
  put "$work/certificate.pem"
done

if [ "$with_kubeconfigs" = no ]; then exit 0; fi
ids=$(ask contract kubeconfigs)
for id in $ids; do
  facts 'kubeconfig_facts($id)'
  if [ -e "$path" ]; then continue; fi
  new_key "$algorithm" "$encoding" "$work/key.pem"
  new_certificate 'kubeconfig($id).certificate' "$work/key.pem" "$work/certificate.pem"
  ask contract 'kubeconfig_document($id; $authority; $certificate; $key)' --arg id "$id" \
    --rawfile authority "$authority_path" --rawfile certificate "$work/certificate.pem" --rawfile key "$work/key.pem" >"$work/kubeconfig"
  put "$work/kubeconfig"
done
