#!/usr/bin/env bash
# Makes the keys and certificates of this folder with openssl (throw-away material for tests only), valid from 2020 to 2049.
# dry-run-kubeconfig.yaml is that of kubeadm's own dry run (kubernetes v1.37.2, cmd/kubeadm/app/util/apiclient/dryrun.go).
set -euo pipefail
cd "$(dirname "$0")"

work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cat > "$work/ca.cnf" <<CNF
[ca]
default_ca = d
[d]
database = $work/index.txt
rand_serial = yes
policy = p
default_md = sha256
unique_subject = no
[p]
commonName = optional
organizationName = optional
[req]
distinguished_name = dn
[dn]
CNF

# certificate NAME SUBJECT ISSUER EXTENSION…; ISSUER is 'self' or the base name of a CA.
certificate() {
  local name=$1 subject=$2 issuer=$3 from
  shift 3
  { echo '[ext]'; printf '%s\n' "$@"; } > "$work/ext.cnf"
  : > "$work/index.txt"
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$name.key"
  openssl req -new -config "$work/ca.cnf" -key "$name.key" -subj "$subject" -out "$work/r.csr"
  if [ "$issuer" = self ]; then from=(-selfsign -keyfile "$name.key"); else from=(-cert "$issuer.crt" -keyfile "$issuer.key"); fi
  openssl ca -batch -notext -config "$work/ca.cnf" -extfile "$work/ext.cnf" -extensions ext -in "$work/r.csr" \
    -startdate 20200101000000Z -enddate 20491201000000Z "${from[@]}" -outdir "$work" -out "$name.crt" 2> "$work/log" || { cat "$work/log"; exit 1; }
}

authority=(basicConstraints=critical,CA:TRUE keyUsage=critical,digitalSignature,keyEncipherment,keyCertSign)
leaf=(basicConstraints=critical,CA:FALSE keyUsage=critical,digitalSignature)
here=subjectAltName=IP:127.0.0.1,IP:::1,DNS:localhost

certificate ca /CN=kubernetes self "${authority[@]}"
# Another CA of the same name.
certificate other-ca /CN=kubernetes self "${authority[@]}"
# A CA below the first, and one of its name below the other.
certificate issuing /CN=issuing ca "${authority[@]}"
certificate impostor-issuing /CN=issuing other-ca "${authority[@]}"

certificate server /CN=kube-apiserver ca "${leaf[@]}" extendedKeyUsage=serverAuth "$here"
certificate other-server /CN=kube-apiserver other-ca "${leaf[@]}" extendedKeyUsage=serverAuth "$here"
certificate issuing-server /CN=kube-apiserver issuing "${leaf[@]}" extendedKeyUsage=serverAuth "$here"
certificate elsewhere-server /CN=kube-apiserver ca "${leaf[@]}" extendedKeyUsage=serverAuth subjectAltName=IP:192.0.2.1
# Certificates that a node gets without being an API server.
certificate no-names /CN=127.0.0.1 ca "${leaf[@]}" extendedKeyUsage=serverAuth
certificate client /O=system:nodes/CN=system:node:127.0.0.1 ca "${leaf[@]}" extendedKeyUsage=clientAuth "$here"
