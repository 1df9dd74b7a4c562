# A certificate of the description as a configuration file of openssl, for `openssl req` and `openssl ca`.

# Characters that mean something in such a file.
def literal: gsub("(?<c>[\\\\$\"'#;,])"; "\\\(.c)");

def line($name; $values): if $values == [] then empty else "\($name)=\($values | join(","))" end;

# @param $work a folder in which openssl keeps its own files
def configuration($work):
  "[req]", "distinguished_name=subject", "prompt=no", "utf8=yes", "string_mask=utf8only",
  "[subject]",
  ((.subject.O // []) | to_entries[] | "\(.key).O=\(.value | literal)"),
  "CN=\(.subject.CN | literal)",
  "[ca]", "default_ca=issuer",
  "[issuer]", "database=\($work)/index.txt", "new_certs_dir=\($work)", "rand_serial=yes", "unique_subject=no",
  "default_md=sha256", "policy=as_requested", "preserve=yes",
  "[as_requested]", "organizationName=optional", "commonName=supplied",
  "[extensions]",
  line("basicConstraints"; ["critical", "CA:\(.isAuthority | tostring | ascii_upcase)"] + if .pathLength == null then [] else ["pathlen:\(.pathLength)"] end),
  line("keyUsage"; if .keyUsage == [] then [] else ["critical"] + .keyUsage end),
  line("extendedKeyUsage"; .extendedKeyUsage),
  line("subjectAltName"; [.dnsNames[] | "DNS:\(.)"] + [.ipAddresses[] | "IP:\(.)"]),
  line("subjectKeyIdentifier"; if .isAuthority then ["hash"] else [] end),
  line("authorityKeyIdentifier"; if .isAuthority then [] else ["keyid"] end);

# The end of a certificate that is valid for so many days from now, as openssl takes it; not after another end, which openssl prints.
def end_date($days; $issuer_end):
  [now + $days * 86400, if $issuer_end == "" then empty else $issuer_end | strptime("%b %d %H:%M:%S %Y GMT") | mktime end]
  | min | strftime("%Y%m%d%H%M%SZ");
