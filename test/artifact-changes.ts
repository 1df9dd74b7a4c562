import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { type CertificateChange, certificateChanges, type IssuedCertificate } from './certificate-changes.ts';
import { onBlock, pem } from './mutate-pem.ts';
import { templateName } from './mutated-node.ts';
import type { OpensslPair } from './openssl-pair.ts';

/** An artifact in a root that is the change's own. */
export interface ChangedArtifact {
  /** Roots of the node, and of a node of another cluster that has the same files. */
  readonly root: string;
  readonly other: string;
  /** Absolute path on the node. */
  readonly path: string;
  /** Path of the certificate of the CA, for what is signed by one. */
  readonly issuer?: string | undefined;
}

/** One thing that happens to an artifact. */
export type ArtifactChange = (artifact: ChangedArtifact) => void;

const textIn = (root: string, path: string) => readFileSync(join(root, path), 'utf8');
export const keyBeside = (path: string) => path.replace(/\.crt$/, '.key');

export function ofText(change: (text: string, artifact: ChangedArtifact) => string): ArtifactChange {
  return (artifact) => {
    const { root, path } = artifact;
    writeFileSync(join(root, path), change(textIn(root, path), artifact));
  };
}

function replaced(make: (place: string) => void): ArtifactChange {
  return ({ root, path }) => {
    const place = join(root, path);
    rmSync(place, { recursive: true });
    make(place);
  };
}

/** A worker has the certificate of the CA without its key. */
export function pairIn(root: string, path: string) {
  const key = keyBeside(path);
  const holder = existsSync(join(root, key)) ? root : join(root, '..', templateName);
  return { certificate: textIn(root, path), key: textIn(holder, key) };
}

/** With the pair of the CA that signed it, if one did. */
export function issuedIn({ root, path, issuer }: ChangedArtifact): IssuedCertificate {
  return { ...pairIn(root, path), issuer: issuer === undefined ? undefined : pairIn(root, issuer) };
}

/** What can happen to every file. */
export const fileChanges = {
  deleted: replaced(() => {}),
  empty: ofText(() => ''),
  'cut in half': ofText((text) => text.slice(0, Math.floor(text.length / 2))),
  'of another cluster': ofText((_, { other, path }) => textIn(other, path)),
  'open to all': ({ root, path }) => chmodSync(join(root, path), 0o666),
  'a directory': replaced((place) => mkdirSync(place)),
  'of another owner': ({ root, path }) => chownSync(join(root, path), 1000, 1000),
  'a link to itself': replaced((place) => symlinkSync(basename(place), place)),
  'a link to nowhere': replaced((place) => symlinkSync('/nowhere/at/all', place)),
  'text of somebody': ofText(() => 'hello: world\n'),
} satisfies Readonly<Record<string, ArtifactChange>>;

const flipInPem = onBlock('', (label, der) => {
  const middle = Math.floor(der.length / 2);
  der[middle] = (der[middle] ?? 0) ^ 4;
  return pem(label, der);
});

/** What can happen to PEM, whatever is in it. */
export const pemChanges = {
  'with a bit flipped': ofText((text) => Buffer.from(flipInPem.apply(Buffer.from(text))).toString()),
  'under another label': ofText((text) => text.replaceAll(/(BEGIN|END) [A-Z ]+-/g, '$1 TEXT-')),
} satisfies Readonly<Record<string, ArtifactChange>>;

/** What can happen to a certificate file. */
export const certificateFileChanges = Object.fromEntries(
  Object.entries(certificateChanges).map(([name, change]: [string, CertificateChange]) => [
    name,
    ofText((_, artifact) => change(issuedIn(artifact))),
  ]),
) as Readonly<Record<keyof typeof certificateChanges, ArtifactChange>>;

/** What can happen to the file of a certificate beside its certificate. */
export const beyondCertificateChanges = {
  'with its private key in it': ofText((text, { root, path }) => text + pairIn(root, path).key),
} satisfies Readonly<Record<string, ArtifactChange>>;

/** What can happen to a key: it is that of something else. */
export const keyChanges = {
  'the key of something else': ofText((_, { root }) => textIn(root, '/etc/kubernetes/pki/front-proxy-client.key')),
  'the public half alone': ofText((_, { root }) => textIn(root, '/etc/kubernetes/pki/sa.pub')),
} satisfies Readonly<Record<string, ArtifactChange>>;

export interface KubeconfigDocument {
  clusters: { name: string; cluster: Record<string, unknown> }[];
  users: { name: string; user: Record<string, unknown> }[];
  contexts: { name: string; context: Record<string, string> }[];
  'current-context': string;
}

export function ofKubeconfig(
  change: (document: KubeconfigDocument, artifact: ChangedArtifact) => void,
): ArtifactChange {
  return ofText((text, artifact) => {
    const document = parse(text) as KubeconfigDocument;
    change(document, artifact);
    return stringify(document);
  });
}

export const clusterOf = ({ clusters: [first] }: KubeconfigDocument) => first?.cluster ?? {};
export const userOf = ({ users: [first] }: KubeconfigDocument) => first?.user ?? {};
export const decoded = (text: unknown) => Buffer.from(typeof text === 'string' ? text : '', 'base64').toString();
export const encoded = (text: string) => Buffer.from(text).toString('base64');
export const authority = '/etc/kubernetes/pki/ca.crt';

/** Puts another pair in the place of the user's. */
export function ofClientPair(change: (issued: IssuedCertificate) => OpensslPair): ArtifactChange {
  return ofKubeconfig((document, { root }) => {
    const user = userOf(document);
    const [certificate, key] = [decoded(user['client-certificate-data']), decoded(user['client-key-data'])];
    const pair = change({ certificate, key, issuer: pairIn(root, authority) });
    user['client-certificate-data'] = encoded(pair.certificate);
    user['client-key-data'] = encoded(pair.key);
  });
}

const ofClient = (change: CertificateChange) =>
  ofClientPair((issued) => ({ certificate: change(issued), key: issued.key }));

/** What can happen to a kubeconfig. */
export const kubeconfigChanges = {
  'with a bit of its key flipped': ofKubeconfig((document) => {
    const user = userOf(document);
    const key = Buffer.from(decoded(user['client-key-data']));
    user['client-key-data'] = Buffer.from(flipInPem.apply(key)).toString('base64');
  }),
  'with an expired certificate': ofClient(certificateChanges.expired),
  'with a certificate that is not valid yet': ofClient(certificateChanges['not yet valid']),
  'with a certificate for another usage': ofClient(certificateChanges['for another usage']),
  'with a certificate of another subject': ofClient(certificateChanges['of another subject']),
  'with a certificate of another issuer': ofClient(certificateChanges['of another issuer']),
  'with a certificate for another key': ofClient(certificateChanges['for another key']),
  'with the CA of another cluster': ofKubeconfig((document, { other }) => {
    clusterOf(document)['certificate-authority-data'] = encoded(textIn(other, authority));
  }),
  'with another server': ofKubeconfig((document) => {
    clusterOf(document).server = 'https://elsewhere.example:6443';
  }),
  'without a CA': ofKubeconfig((document) => {
    delete clusterOf(document)['certificate-authority-data'];
  }),
  'without credentials': ofKubeconfig((document) => {
    for (const name of Object.keys(userOf(document))) delete userOf(document)[name];
  }),
  'without a context': ofKubeconfig((document) => {
    document['current-context'] = 'nobody';
  }),
} satisfies Readonly<Record<string, ArtifactChange>>;

/** What can happen to a kubeconfig whose credentials are in a file of their own. */
export const kubeconfigClusterChanges = {
  'with the CA of another cluster': kubeconfigChanges['with the CA of another cluster'],
  'with another server': kubeconfigChanges['with another server'],
  'without a CA': kubeconfigChanges['without a CA'],
  'without credentials': kubeconfigChanges['without credentials'],
  'without a context': kubeconfigChanges['without a context'],
} satisfies Readonly<Record<string, ArtifactChange>>;

const ofPair = (change: CertificateChange) =>
  ofText((text, { root }) => {
    const key = /-----BEGIN [A-Z ]*KEY-----[\s\S]*/.exec(text)?.[0] ?? '';
    const issuer = pairIn(root, authority);
    return `${change({ certificate: text, key, issuer })}${key}`;
  });

/** What can happen to a file that holds a certificate and its key. */
export const pairChanges = {
  'with an expired certificate': ofPair(certificateChanges.expired),
  'with a certificate that is not valid yet': ofPair(certificateChanges['not yet valid']),
  'with a certificate of another subject': ofPair(certificateChanges['of another subject']),
  'with a certificate of another issuer': ofPair(certificateChanges['of another issuer']),
  'with a certificate for another key': ofPair(certificateChanges['for another key']),
  'without its key': ofText((text) => text.replace(/-----BEGIN [A-Z ]*KEY-----[\s\S]*/, '')),
} satisfies Readonly<Record<string, ArtifactChange>>;

export interface PodDocument {
  kind: string;
  metadata: { name: string; namespace: string };
  spec: {
    hostNetwork?: boolean;
    hostPID?: boolean;
    hostNetwrk?: boolean;
    restartPolicy?: string;
    initContainers?: unknown[];
    containers: {
      command: string[];
      image: string;
      volumeMounts?: unknown[];
      securityContext?: object;
      resources?: object;
    }[];
    volumes?: unknown[];
  };
}

export function ofPod(change: (pod: PodDocument, container: PodDocument['spec']['containers'][number]) => void) {
  return ofText((text) => {
    const pod = parse(text) as PodDocument;
    const [container] = pod.spec.containers;
    if (container !== undefined) change(pod, container);
    return stringify(pod);
  });
}

/** What can happen to the manifest of a static pod. */
export const manifestChanges = {
  'with a bit of its kind flipped': ofText((text) => text.replace('kind: Pod', 'kind: Qod')),
  'the manifest of another component': ofText((_, { root, path }) => {
    const isScheduler = path.endsWith('/kube-scheduler.yaml');
    return textIn(root, `/etc/kubernetes/manifests/${isScheduler ? 'etcd' : 'kube-scheduler'}.yaml`);
  }),
  'of a pod of another name': ofPod((pod) => {
    pod.metadata.name = 'somebody';
  }),
  'in another namespace': ofPod((pod) => {
    pod.metadata.namespace = 'default';
  }),
  'off the network of the host': ofPod((pod) => {
    pod.spec.hostNetwork = false;
  }),
  'without its flags': ofPod((_, container) => {
    container.command = container.command.slice(0, 1);
  }),
  'with files elsewhere': ofPod((_, container) => {
    container.command = container.command.map((word) => word.replace('=/etc/kubernetes/', '=/etc/elsewhere/'));
  }),
  'without volumes': ofPod((pod, container) => {
    pod.spec.volumes = [];
    container.volumeMounts = [];
  }),
  'with another image': ofPod((_, container) => {
    container.image = 'registry.k8s.io/pause:3.1';
  }),
} satisfies Readonly<Record<string, ArtifactChange>>;

function ofDocument(change: (document: Record<string, unknown>) => void): ArtifactChange {
  return ofText((text) => {
    const document = parse(text) as Record<string, unknown>;
    change(document);
    return stringify(document);
  });
}

/** What can happen to the configuration of the kubelet. */
export const kubeletConfigChanges = {
  'with a bit of its kind flipped': ofText((text) => text.replace('kind: Kubelet', 'kind: Jubelet')),
  'with the socket of another runtime': ofDocument((document) => {
    document.containerRuntimeEndpoint = 'unix:///run/elsewhere.sock';
  }),
} satisfies Readonly<Record<string, ArtifactChange>>;

/** What can happen to the flags of the kubelet. */
export const kubeletFlagsChanges = {
  'with a flag that there is not': ofText((text) => text.replace('="', '="--nope=1 ')),
} satisfies Readonly<Record<string, ArtifactChange>>;
export const kubeletMainConfigChanges = {
  ...kubeletConfigChanges,
  'with static pods elsewhere': ofDocument((document) => {
    document.staticPodPath = '/etc/elsewhere';
  }),
  'with another client CA': ofDocument((document) => {
    document.authentication = { x509: { clientCAFile: '/etc/elsewhere/ca.crt' } };
  }),
  'with pods in words': ofDocument((document) => {
    document.maxPods = 'lots';
  }),
  'with a port that there is not': ofDocument((document) => {
    document.port = 99_999;
  }),
  'with a misspelt field': ofDocument((document) => {
    document.maxPodz = 3;
  }),
  'without rotation of its certificate': ofDocument((document) => {
    document.rotateCertificates = false;
  }),
} satisfies Readonly<Record<string, ArtifactChange>>;

/** What can happen to a directory. */
export const directoryChanges = {
  deleted: fileChanges.deleted,
  'open to all': ({ root, path }) => chmodSync(join(root, path), 0o777),
  'a file': replaced((place) => writeFileSync(place, '')),
  'of another owner': ({ root, path }) => chownSync(join(root, path), 1000, 1000),
  'a link to itself': replaced((place) => symlinkSync(basename(place), place)),
  'a link to nowhere': fileChanges['a link to nowhere'],
} satisfies Readonly<Record<string, ArtifactChange>>;
