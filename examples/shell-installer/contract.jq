# Questions to a description of the phases, which `groundplane phases describe -o json` prints. Each is asked of the whole description.

# Every artifact that a phase writes, where the configuration asks for that phase.
def artifacts: [.phases[] | select(.inapplicable == null) | .writes[]];

def artifact($id): artifacts | map(select(.id == $id)) | first // error("the description has no artifact \($id)");

# What is demanded of an artifact as data: a certificate, a key or a kubeconfig; null if nothing is.
def demand($kind): [.demands[] | .[$kind] // empty] | first;

def certificate($id): artifact($id) | demand("certificate");
def kubeconfig($id): artifact($id) | demand("kubeconfig");

# Ids, in the order in which the artifacts can be made.
def certificates: artifacts[] | select(demand("certificate") != null) | .id;
def private_keys: artifacts[] | select(demand("key").type == "private") | .id;
def public_keys: artifacts[] | select(demand("key").type == "public") | .id;
def kubeconfigs: artifacts[] | select(demand("kubeconfig") != null) | .id;

# The private key that belongs to a certificate.
def key_of($certificate):
  artifacts | map(select(demand("key") | .type == "private" and .matches == $certificate)) | first
  // error("the description has no key of \($certificate)");

# What shell scripts ask for: objects of texts.

# Where a file goes, and who may read it; the mode of folders that have to be made for it.
def file($id): artifact($id) | { path: .location.path, mode, owner, directory_mode: .directoryMode };

def private_key_facts($id): file($id) + (artifact($id) | demand("key") | { algorithm, encoding });

def public_key_facts($id): file($id) + { key_path: file(artifact($id) | demand("key").matches).path };

# Who signs a certificate, and how long it may be valid.
def signing_facts($certificate):
  { days: $certificate.validityDays, within_issuer: $certificate.notLongerThanIssuer }
  + if $certificate.issuer == null then {} else
      { issuer_path: file($certificate.issuer).path, issuer_key_path: file(key_of($certificate.issuer).id).path }
    end;

def certificate_facts($id): file($id) + signing_facts(certificate($id)) + { key_path: file(key_of($id).id).path };

def kubeconfig_facts($id):
  file($id) + signing_facts(kubeconfig($id).certificate) + (kubeconfig($id).key | { algorithm, encoding })
  + { authority_path: file(kubeconfig($id).authority).path };

# As assignments of shell variables.
def assignments: to_entries[] | "\(.key)=\(.value | tostring | @sh)";

# A kubeconfig as JSON, which is YAML, too. The CA is the first certificate of its file.
def kubeconfig_document($id; $authority; $certificate; $key):
  "-----END CERTIFICATE-----\n" as $footer
  | kubeconfig($id)
  | {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: .clusterName, cluster: { server, "certificate-authority-data": ($authority | split($footer)[0] + $footer | @base64) } }],
      users: [{ name: .userName, user: { "client-certificate-data": ($certificate | @base64), "client-key-data": ($key | @base64) } }],
      contexts: [{ name: .contextName, context: { cluster: .clusterName, user: .userName } }],
      "current-context": .contextName
    };
