# A certificate of the description in the words of cfssl.

# "RSA-2048" and "ECDSA-P256": the algorithm and its size.
def key: split("-") | { algo: (.[0] | ascii_downcase), size: (.[1] | ltrimstr("P") | tonumber) };

# digitalSignature is "digital signature", serverAuth is "server auth".
def usage: if . == "keyCertSign" then "cert sign" else gsub("(?<letter>[A-Z])"; " \(.letter | ascii_downcase)") end;

# A request for `cfssl gencert`. What a CA may be used for is cfssl's own matter.
def request($hours):
  { CN: .subject.CN, hosts: (.dnsNames + .ipAddresses), key: (.keyAlgorithm | key), names: [(.subject.O // [])[] | { O: . }] }
  + if .isAuthority then { ca: { expiry: "\($hours)h" } } else {} end;

# What the CA is told to sign, for `cfssl gencert -config`.
def policy($hours): { signing: { default: { usages: [(.keyUsage + .extendedKeyUsage)[] | usage], expiry: "\($hours)h" } } };

# Hours of so many days, and no more than are left of the issuer as `cfssl certinfo` tells.
def hours($days; $issuer): [$days * 24, if $issuer == null then empty else (($issuer.not_after | fromdateiso8601) - now) / 3600 | floor end] | min;
