#!/usr/bin/env bash
# Makes the keys and foreign certificates of this folder with openssl (throw-away material for tests only).
# Certificates are valid from 2020 to 2049 unless their name says otherwise.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT

# Keys: one pair in each form that a CA key may have.
openssl genrsa -traditional -out rsa-pkcs1.key 2048
openssl pkcs8 -topk8 -nocrypt -in rsa-pkcs1.key -out rsa-pkcs8.key
openssl genrsa -traditional -out rsa-other.key 2048
# Too short: 1024 bits for OpenSSL, 512 for Go too.
openssl genrsa -traditional -out rsa-1024.key 1024
openssl genrsa -traditional -out rsa-512.key 512
openssl ecparam -name prime256v1 -genkey -out p256-params-first.key
openssl ec -in p256-params-first.key -out p256-sec1.key
openssl pkcs8 -topk8 -nocrypt -in p256-sec1.key -out p256-pkcs8.key
sed 's/$/\r/' p256-sec1.key > p256-crlf.key
openssl ecparam -name secp384r1 -genkey -noout -out p384-sec1.key
openssl pkcs8 -topk8 -nocrypt -in p384-sec1.key -out p384-pkcs8.key
openssl ecparam -name secp521r1 -genkey -noout -out p521-sec1.key
openssl ecparam -name secp256k1 -genkey -noout -out k256-sec1.key
openssl genpkey -algorithm ed25519 -out ed25519.key
openssl ec -in p256-sec1.key -aes256 -passout pass:test -out encrypted-sec1.key
openssl pkcs8 -topk8 -passout pass:test -in p256-sec1.key -out encrypted-pkcs8.key
{ echo '-----BEGIN RSA PRIVATE KEY-----'; head -c 60 /dev/zero | base64; echo '-----END RSA PRIVATE KEY-----'; } > damaged.key

# certificate NAME KEY SUBJECT ISSUER START END <<< extensions; ISSUER is 'self' or the base name of a certificate.
certificate() {
  local name=$1 key=$2 subject=$3 issuer=$4 start=$5 end=$6
  { echo '[ext]'; cat; } > "$work/ext.cnf"
  cat > "$work/ca.cnf" <<CNF
[ca]
default_ca = d
[d]
database = $work/index.txt
rand_serial = yes
policy = p
default_md = sha256
email_in_dn = no
unique_subject = no
preserve = yes
string_mask = ${MASK:-utf8only}
[p]
commonName = optional
organizationName = optional
organizationalUnitName = optional
countryName = optional
emailAddress = optional
[req]
distinguished_name = dn
string_mask = ${MASK:-utf8only}
[dn]
CNF
  : > "$work/index.txt"
  openssl req -new -utf8 -config "$work/ca.cnf" -key "$key" -subj "$subject" -out "$work/r.csr"
  local from
  if [ "$issuer" = self ]; then from=(-selfsign -keyfile "$key"); else from=(-cert "$issuer.crt" -keyfile "$issuer.key"); fi
  openssl ca -batch -notext -config "$work/ca.cnf" -extfile "$work/ext.cnf" -extensions ext -in "$work/r.csr" \
    -startdate "$start" -enddate "$end" "${from[@]}" -outdir "$work" -md "${MD:-sha256}" ${SIGOPT:-} -out "$name.crt" 2>"$work/log" || { cat "$work/log"; exit 1; }
}
from=20200101000000Z to=20491201000000Z
ca_ext() { printf 'basicConstraints=critical,CA:TRUE%s\nkeyUsage=critical,keyCertSign,digitalSignature\nsubjectKeyIdentifier=hash\n' "${1:-}"; }
leaf_ext='basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature,keyEncipherment
extendedKeyUsage=serverAuth
authorityKeyIdentifier=keyid
subjectAltName=DNS:node-a,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local,IP:10.96.0.1,IP:192.0.2.10'

# A two-level company CA, and leaves of both levels.
cp p256-sec1.key root.key; cp p384-sec1.key issuing.key
ca_ext | certificate root root.key '/O=Example/CN=root' self $from $to
ca_ext ,pathlen:0 | certificate issuing issuing.key '/O=Example/CN=issuing' root $from $to
certificate leaf-of-root p256-sec1.key /CN=kube-apiserver root $from $to <<< "$leaf_ext"
certificate leaf-of-issuing rsa-pkcs1.key /CN=kube-apiserver issuing $from $to <<< "$leaf_ext"
certificate leaf-expired p256-sec1.key /CN=kube-apiserver root $from 20210101000000Z <<< "$leaf_ext"
certificate leaf-future p256-sec1.key /CN=kube-apiserver root 20480101000000Z $to <<< "$leaf_ext"
# A second CA below the first, which the path length of the first forbids.
cp rsa-pkcs1.key below.key
ca_ext | certificate below below.key '/O=Example/CN=below' issuing $from $to
certificate leaf-of-below p256-sec1.key /CN=kube-apiserver below $from $to <<< "$leaf_ext"
# Another root with the same name and another key.
cp p384-sec1.key impostor.key
ca_ext | certificate impostor impostor.key '/O=Example/CN=root' self $from $to

# CAs with single oddities, all with the root's key and name, so that root's leaves are checked against them.
odd() { certificate "$1" root.key "${2:-/O=Example/CN=root}" self "${3:-$from}" "${4:-$to}"; }
ca_ext | odd ca-expired '' $from 20210101000000Z
ca_ext | odd ca-future '' 20480101000000Z $to
printf 'basicConstraints=critical,CA:FALSE\n' | odd ca-false
printf 'subjectKeyIdentifier=hash\n' | odd ca-no-basic-constraints
printf 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,cRLSign\n' | odd ca-no-cert-sign
printf 'basicConstraints=critical,CA:TRUE\n' | odd ca-no-key-usage
{ ca_ext; echo 'nameConstraints=critical,permitted;DNS:example.com'; } | odd ca-name-constraints
{ ca_ext; printf 'nameConstraints=critical,permitted;DNS:node-a,permitted;DNS:kubernetes,permitted;DNS:local,permitted;DNS:default,permitted;DNS:svc,permitted;IP:10.0.0.0/255.0.0.0,permitted;IP:192.0.2.0/255.255.255.0\n'; } | odd ca-name-constraints-met
{ ca_ext; echo '1.2.3.4=critical,ASN1:UTF8String:x'; } | odd ca-critical-unknown

printf 'basicConstraints=critical,CA:TRUE\nextendedKeyUsage=clientAuth\n' | odd ca-client-only

# Names and key ids that must be copied as they are.
ca_ext | MASK=nombstr certificate name-printable root.key '/C=DE/O=Example/CN=kubernetes' self $from $to
ca_ext | MASK=MASK:0x800 certificate name-bmp root.key '/CN=Bücher CA' self $from $to
ca_ext | certificate name-order root.key '/CN=corp/C=DE/O=Example/OU=A/OU=B' self $from $to
# `openssl ca` takes sets of several attributes apart, so this one begins today.
openssl req -x509 -new -key root.key -subj '/CN=corp+O=Example' -days 8000 -addext keyUsage=critical,keyCertSign -out name-multi.crt
printf 'basicConstraints=critical,CA:TRUE\nsubjectKeyIdentifier=01:02:03\n' | certificate ski-odd root.key /CN=odd self $from $to
printf 'basicConstraints=critical,CA:TRUE\nsubjectKeyIdentifier=none\n' | certificate ski-none root.key /CN=none self $from $to
# Signature algorithms of leaves.
MD=sha1 certificate leaf-sha1 p256-sec1.key /CN=kube-apiserver root $from $to <<< "$leaf_ext"
SIGOPT='-sigopt rsa_padding_mode:pss' certificate leaf-pss p256-sec1.key /CN=kube-apiserver below $from $to <<< "$leaf_ext"
