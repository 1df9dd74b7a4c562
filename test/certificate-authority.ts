/**
 * Shell functions of a CA that is somewhere else: for each of the CAs of a cluster a root and an intermediate, by openssl alone. `authorities` makes
 * them in $CA; `sign CA REQUEST ANSWER` signs a request as it is. In front of that, variables make it wrong: START and END
 * (YYYYMMDDHHMMSSZ), SUBJECT, DIGEST, BY (the pair of files in place of `intermediate`), EXTENSIONS (lines in place of those requested).
 */
export const authorityFunctions = `
set -e
export CA=\${CA:-/opt/authority} COPY=none
settings() {
  cat > $CA/openssl.cnf <<'END'
[req]
distinguished_name=dn
prompt=no
string_mask=default
[dn]
CN=unused
[ca]
default_ca=own
[own]
database=$ENV::CA/index.txt
rand_serial=yes
new_certs_dir=$ENV::CA
default_md=sha256
policy=free
unique_subject=no
preserve=yes
copy_extensions=$ENV::COPY
[free]
organizationName=optional
commonName=optional
END
  : > $CA/index.txt
}
pair() { openssl ecparam -name prime256v1 -genkey -noout -out $1.key; }
# certify SUBJECT FILES SIGNER LINES…: the certificate of a CA
certify() {
  local subject=$1 files=$2 signer=$3; shift 3
  [ -e $files.key ] || pair $files
  printf '%s\\n' "$@" > $CA/extensions
  openssl req -new -config $CA/openssl.cnf -key $files.key -subj "$subject" -out $files.csr
  if [ $signer = $files ]; then set -- -selfsign -keyfile $files.key; else set -- -cert $signer.crt -keyfile $signer.key; fi
  COPY=none openssl ca -batch -notext -config $CA/openssl.cnf -in $files.csr -out $files.crt -days 3650 -extfile $CA/extensions "$@" 2> $CA/log || { cat $CA/log >&2; exit 1; }
}
authorities() {
  mkdir -p $CA && settings
  for name in ca front-proxy-ca etcd-ca; do
    mkdir -p $CA/$name
    certify "/O=Example/CN=Root of $name" $CA/$name/root $CA/$name/root basicConstraints=critical,CA:TRUE keyUsage=critical,keyCertSign,cRLSign subjectKeyIdentifier=hash
    certify "/O=Example/CN=Intermediate of $name" $CA/$name/intermediate $CA/$name/root basicConstraints=critical,CA:TRUE,pathlen:0 keyUsage=critical,keyCertSign,cRLSign subjectKeyIdentifier=hash
  done
}
sign() {
  local by=$CA/$1/\${BY:-intermediate} copy=copyall more=""
  mkdir -p $(dirname $3)
  if [ -n "$EXTENSIONS" ]; then copy=none; printf '%b\\n' "$EXTENSIONS" > $CA/extensions; more="-extfile $CA/extensions"; fi
  COPY=$copy openssl ca -batch -notext -config $CA/openssl.cnf -cert $by.crt -keyfile $by.key -in $2 -out $3 -md \${DIGEST:-sha256} \\
    -startdate \${START:-$(date -u -d '-1 hour' +%Y%m%d%H%M%SZ)} -enddate \${END:-$(date -u -d '+8760 hours -1 hour' +%Y%m%d%H%M%SZ)} \\
    \${SUBJECT:+-subj "$SUBJECT"} $more 2> $CA/log || { cat $CA/log >&2; exit 1; }
}
`;

/** Request → the CA that has to sign it. */
export const signedBy: Readonly<Record<string, string>> = {
  apiserver: 'ca',
  'apiserver-kubelet-client': 'ca',
  'front-proxy-client': 'front-proxy-ca',
  'etcd-server': 'etcd-ca',
  'etcd-peer': 'etcd-ca',
  'etcd-healthcheck-client': 'etcd-ca',
  'apiserver-etcd-client': 'etcd-ca',
  'admin.conf': 'ca',
  'super-admin.conf': 'ca',
  'kubelet.conf': 'ca',
  'controller-manager.conf': 'ca',
  'scheduler.conf': 'ca',
};

/** Where the answer to a request belongs on the node. */
export function placeOf(request: string): string {
  if (request.endsWith('.conf')) return `/etc/kubernetes/${request}`;
  return `/etc/kubernetes/pki/${request.replace(/^etcd-/, 'etcd/')}.crt`;
}
