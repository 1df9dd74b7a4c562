import { type MutatedArtifact, mutatedArtifacts } from './mutated-artifacts.ts';

/** What becomes of a change: the run stops before its first write, or it remarks on it, or it has a reason to say nothing. */
export type Verdict = 'refused' | 'warned' | 'legal';

export interface MutationRow {
  readonly artifact: MutatedArtifact;
  readonly change: string;
  readonly verdict: Verdict;
  /** Of what is not refused. */
  readonly why: string;
  /** True if kubeadm refuses it, for a reason that we do not share. */
  readonly kubeadmRefuses: boolean;
}

interface Exception {
  readonly verdict: 'warned' | 'legal';
  readonly why: string;
  readonly node?: MutatedArtifact['node'];
  readonly path: RegExp;
  readonly changes: readonly string[];
  readonly kubeadmRefuses?: true;
}

const gone = ['deleted', 'a link to nowhere'];
const unusualConnection = ['with a path behind the server', 'through a proxy', 'with another name of the server'];
const otherCredentials = [
  ...['with a token beside its certificate', 'with a token in place of its certificate'],
  ...['with a password beside its certificate', 'with a plugin in place of its certificate'],
  'with OpenID Connect in place of its certificate',
];
const unreadableKubeconfig = ['empty', 'cut in half', 'text of somebody', 'without credentials', 'without a context'];

/** What is not refused; the first that fits counts. */
const exceptions: readonly Exception[] = [
  {
    verdict: 'legal',
    why: 'the kubelet keeps these files by itself, and sets their modes when it writes them',
    node: 'joined worker',
    path: /./,
    changes: ['open to all', 'of another owner'],
  },
  {
    verdict: 'legal',
    why: 'only its own phase reads it, which writes it again with its mode',
    path: /instance-config\.yaml$/,
    changes: ['open to all', 'of another owner'],
  },
  {
    verdict: 'legal',
    why: 'hardening guides give it to a user of its own, and etcd as root reads it all the same',
    path: /^\/var\/lib\/etcd$/,
    changes: ['of another owner'],
  },
  {
    verdict: 'legal',
    why: 'etcd itself remarks on it, and closes nothing',
    path: /^\/var\/lib\/etcd$/,
    changes: ['open to all'],
  },
  {
    verdict: 'warned',
    why: 'whoever opened a file or gave it away may have meant it',
    path: /./,
    changes: ['open to all', 'of another owner'],
  },
  {
    verdict: 'legal',
    why: 'a CA whose key is not here is kept elsewhere; all that it signs is here and in order',
    path: /(?:^|\/)(?:front-proxy-)?ca\.key$/,
    changes: gone,
  },
  {
    verdict: 'legal',
    why: 'a key without its certificate is what a run leaves that is stopped between the two: its phase completes the pair',
    kubeadmRefuses: true,
    path: /healthcheck-client\.crt$/,
    changes: gone,
  },
  {
    verdict: 'warned',
    why: 'it works, as kubeadm has it, and whoever may read the certificate has the key',
    path: /\.crt$/,
    changes: ['with its private key in it'],
  },
  {
    verdict: 'warned',
    why: 'a server is known by its other names, and etcd trusts whoever its CA signed',
    path: /pki\/(?:apiserver|etcd\/server|etcd\/peer|etcd\/healthcheck-client|apiserver-etcd-client)\.crt$/,
    changes: ['of another subject'],
  },
  {
    verdict: 'warned',
    why: 'rather the clock is late; kubeadm goes by such a CA once, and refuses what it made in the next run',
    kubeadmRefuses: true,
    path: /(?:front-proxy-ca|etcd\/ca)\.crt$/,
    changes: ['not yet valid'],
  },
  {
    verdict: 'warned',
    why: 'who lays the key of such a CA down wants it to sign; kubeadm has it sign once, and refuses what it made in the next run',
    kubeadmRefuses: true,
    path: /(?:front-proxy-ca|etcd\/ca)\.crt$/,
    changes: ['that may not sign certificates'],
  },
  {
    verdict: 'legal',
    why: 'it is wanted only where the cluster does not let the group of admin.conf in yet, which the cluster alone can tell',
    path: /super-admin\.conf$/,
    changes: gone,
  },
  {
    verdict: 'warned',
    why: 'an administrator of another name may have the same rights',
    path: /admin\.conf$/,
    changes: ['with a certificate of another subject'],
  },
  {
    verdict: 'warned',
    why: 'kubeadm compares the server and goes on: there may be a load balancer',
    path: /(?:admin|kubelet|controller-manager|scheduler)\.conf$/,
    node: 'control plane',
    changes: ['with another server'],
  },
  {
    verdict: 'warned',
    why: 'there may be a load balancer',
    path: /bootstrap-kubelet\.conf$/,
    changes: ['with another server'],
  },
  {
    verdict: 'legal',
    why: 'the current context counts, for the components too',
    path: /\.conf$/,
    changes: ['with several contexts'],
  },
  {
    verdict: 'warned',
    why: 'the components work with it: there may be a load balancer or a proxy',
    path: /\.conf$/,
    changes: unusualConnection,
  },
  {
    verdict: 'legal',
    why: 'a kubelet without a certificate asks for one with whatever the cluster takes',
    path: /bootstrap-kubelet\.conf$/,
    changes: otherCredentials,
  },
  {
    verdict: 'warned',
    why: 'the API server may know whom they stand for; the file does not tell',
    path: /\.conf$/,
    changes: otherCredentials,
  },
  {
    verdict: 'warned',
    why: 'what is in it is the affair of whoever made it',
    path: /\.conf$/,
    changes: ['with its certificate in a file of somebody'],
  },
  {
    verdict: 'warned',
    why: 'what is in it is the affair of whoever made it; kubeadm reads it on this machine, where it is not',
    kubeadmRefuses: true,
    path: /\.conf$/,
    changes: ['with its CA in a file of somebody'],
  },
  {
    verdict: 'warned',
    why: 'its container does not hold that file unless somebody brings it in; kubeadm reads it on this machine, where it is not',
    kubeadmRefuses: true,
    path: /(?:scheduler|bootstrap-kubelet)\.conf$/,
    changes: ['with its CA in the file of the phases'],
  },
  {
    verdict: 'legal',
    why: 'it is the CA of the cluster; kubeadm reads it on this machine, where it is not',
    kubeadmRefuses: true,
    path: /\.conf$/,
    changes: ['with its CA in the file of the phases'],
  },
  {
    verdict: 'warned',
    why: 'an administrator may have the right to',
    path: /(?:admin|bootstrap-kubelet)\.conf$/,
    changes: ['in the name of somebody'],
  },
  {
    verdict: 'warned',
    why: 'Kubernetes takes it',
    path: /\.(?:conf|crt)$/,
    changes: ['with a key of 1024 bits'],
  },
  {
    verdict: 'warned',
    why: 'kube-apiserver signs with it and takes what it signed',
    path: /sa\.key$/,
    changes: ['of RSA with 1024 bits'],
  },
  {
    verdict: 'warned',
    why: 'the kubelet runs it',
    path: /manifests\//,
    changes: ['with another container', 'with an init container', 'with the processes of the host', 'privileged'],
  },
  {
    verdict: 'warned',
    why: 'the kubelet passes over a field that it does not know',
    path: /manifests\//,
    changes: ['with a misspelt field'],
  },
  {
    verdict: 'warned',
    why: 'the API server works with it',
    path: /kube-apiserver\.yaml$/,
    changes: [
      ...['with its authorization in a file', 'without NodeRestriction', 'with another client CA'],
      'with another key for tokens',
    ],
  },
  {
    verdict: 'warned',
    why: 'whoever builds images of their own names them as they like',
    path: /manifests\//,
    changes: ['with another image'],
  },
  {
    verdict: 'legal',
    why: 'etcd makes it',
    path: /^\/var\/lib\/etcd$/,
    changes: ['deleted'],
  },
  {
    verdict: 'legal',
    why: 'a kubelet that somebody else starts may have its configuration elsewhere',
    node: 'control plane',
    path: /kubelet\/config\.yaml$/,
    changes: gone,
  },
  {
    verdict: 'legal',
    why: 'what differs between the two clusters, addresses of DNS and domain, is what a provisioner may set',
    path: /kubelet\/config\.yaml$/,
    changes: ['of another cluster'],
  },
  {
    verdict: 'warned',
    why: 'a kubelet that somebody else starts may have its configuration elsewhere, or say so by its flags',
    node: 'control plane',
    path: /kubelet\/config\.yaml$/,
    changes: [
      ...['empty', 'cut in half', 'text of somebody', 'with a bit of its kind flipped'],
      ...['with pods in words', 'with a port that there is not'],
      ...['with the socket of another runtime', 'with static pods elsewhere', 'with another client CA'],
      'without rotation of its certificate',
    ],
  },
  {
    verdict: 'warned',
    why: 'the kubelet passes over a field that it does not know',
    path: /kubelet\/config\.yaml$/,
    changes: ['with a misspelt field'],
  },
  {
    verdict: 'warned',
    why: 'a kubelet of another version may know the flag',
    path: /kubeadm-flags\.env$/,
    changes: ['with a flag that there is not'],
  },
  {
    verdict: 'warned',
    why: 'whoever starts the kubelet may say the rest by its flags',
    path: /kubelet\/config\.yaml$/,
    changes: [
      ...['with the socket of another runtime', 'with static pods elsewhere', 'with another client CA'],
      'without rotation of its certificate',
    ],
  },
  {
    verdict: 'legal',
    why: 'only its own phase reads it, which writes it again; what an administrator added to a sound one stays',
    path: /instance-config\.yaml$/,
    changes: [
      ...gone,
      'empty',
      'cut in half',
      'text of somebody',
      'with the socket of another runtime',
      'of another cluster',
    ],
  },
  {
    verdict: 'legal',
    why: 'the unit of the kubelet does without it, and the first half sets the variable all the same',
    path: /kubeadm-flags\.env$/,
    changes: [...gone, 'cut in half'],
  },
  {
    verdict: 'warned',
    why: 'the kubelet starts without its flags',
    path: /kubeadm-flags\.env$/,
    changes: ['empty', 'text of somebody'],
  },
  {
    verdict: 'legal',
    why: 'two clusters have the same one here',
    path: /(?:kubeadm-flags\.env|kube-scheduler\.yaml)$/,
    changes: ['of another cluster'],
  },
  {
    verdict: 'legal',
    why: 'the configuration of the kubelet may name another file, and its log tells if that is missing',
    node: 'joining worker',
    path: /pki\/ca\.crt$/,
    changes: gone,
  },
  {
    verdict: 'legal',
    why: 'a CA is known by its public key: one that is signed again is the same, and the kubelet judges the rest',
    node: 'joining worker',
    path: /pki\/ca\.crt$/,
    changes: ['expired', 'not yet valid', 'of another subject', 'that is no CA', 'that may not sign certificates'],
  },
  {
    verdict: 'legal',
    why: 'a kubelet that somebody else starts may have its credentials from elsewhere',
    path: /bootstrap-kubelet\.conf$/,
    changes: gone,
  },
  {
    verdict: 'legal',
    why: 'who may ask for a certificate is the affair of the cluster',
    path: /bootstrap-kubelet\.conf$/,
    changes: ['with a certificate of another subject'],
  },
  {
    verdict: 'warned',
    why: 'it is no such file at all, and the kubelet writes it again',
    node: 'joined worker',
    path: /kubelet\.conf$/,
    changes: ['empty'],
  },
  {
    verdict: 'warned',
    why: 'it is no such file at all, and the kubelet writes it again',
    path: /kubelet-client-current\.pem$/,
    changes: ['empty', 'text of somebody', 'under another label'],
  },
  {
    verdict: 'legal',
    why: 'what no kubelet can use is written again: by its start, or by the kubelet itself, which asks for a certificate',
    node: 'joined worker',
    path: /kubelet\.conf$/,
    changes: [...gone, ...unreadableKubeconfig, 'without a CA'],
  },
  {
    verdict: 'legal',
    why: 'a kubelet without a certificate of its own that is valid asks for one',
    path: /kubelet-client-current\.pem$/,
    changes: [
      ...[
        ...gone,
        'empty',
        'cut in half',
        'text of somebody',
        'a directory',
        'a link to itself',
        'with a bit flipped',
        'under another label',
      ],
      ...[
        'with an expired certificate',
        'with a certificate that is not valid yet',
        'with a certificate for another key',
      ],
      'without its key',
    ],
  },
  {
    verdict: 'legal',
    why: 'which CA signs the certificates of kubelets is the affair of the cluster: it need not be the one of its API server',
    path: /kubelet-client-current\.pem$/,
    changes: ['of another cluster', 'with a certificate of another issuer'],
  },
];

/** Every change of every artifact, and what becomes of it. */
export const mutationTable: readonly MutationRow[] = mutatedArtifacts.flatMap((artifact) =>
  Object.keys(artifact.changes).map((change): MutationRow => {
    const found = exceptions.find(
      ({ node = artifact.node, path, changes }) =>
        node === artifact.node && path.test(artifact.path) && changes.includes(change),
    );
    const { verdict = 'refused', why = '', kubeadmRefuses = false } = found ?? {};
    return { artifact, change, verdict, why, kubeadmRefuses };
  }),
);

/** Files of which every change is tried each time; of their siblings every third. */
const whole = /pki\/(?:ca|apiserver)\.(?:crt|key)$|sa\.(?:key|pub)$|\/admin\.conf$|kube-apiserver\.yaml$|kubelet/;

export const sampledMutations: readonly MutationRow[] = mutationTable.filter(
  ({ artifact: { path } }, index) => whole.test(path) || index % 3 === 0,
);
