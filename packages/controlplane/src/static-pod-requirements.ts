import type { Severity } from '@groundplane/errors';
import type { ControlPlaneComponent, ControlPlaneFacts } from './control-plane-facts.ts';
import { etcdClientURL, etcdPeerURL, loopbackOf } from './etcd-urls.ts';

/** What a flag's value has to be. */
export interface FlagRequirement {
  readonly flag: string;
  readonly severity: Severity;
  /** What goes wrong otherwise; completes "… as". */
  readonly reason: string;
  /** Absent: any value will do, as long as it is not empty. */
  readonly expected?: (facts: ControlPlaneFacts) => string;
  /** `has-items`: both are comma lists and every expected item has to be there. @default 'equal' */
  readonly comparison?: 'equal' | 'has-items';
  /** The component's own default, which counts where the flag is missing. */
  readonly fallback?: string;
  readonly when?: (facts: ControlPlaneFacts) => boolean;
}

const needed = 'error' as const;
const advised = 'warning' as const;

function any(flag: string, severity: Severity, reason: string): FlagRequirement {
  return { flag, severity, reason };
}

function isTrue(flag: string, severity: Severity, reason: string): FlagRequirement {
  return { flag, severity, reason, expected: () => 'true' };
}

const isLocal = ({ etcd }: ControlPlaneFacts): boolean => etcd.external === undefined;
const hasPods = ({ networking }: ControlPlaneFacts): boolean => networking.podSubnet !== '';

/** What later phases and the running cluster rely on, whoever wrote the manifest. */
export const staticPodRequirements: Readonly<Record<ControlPlaneComponent, readonly FlagRequirement[]>> = {
  etcd: [
    any('cert-file', needed, 'the API server connects to etcd with TLS'),
    any('key-file', needed, 'the API server connects to etcd with TLS'),
    any('trusted-ca-file', needed, 'without it anybody may read and write the cluster'),
    isTrue('client-cert-auth', needed, 'without it anybody may read and write the cluster'),
    any('peer-cert-file', needed, 'further members connect with TLS'),
    any('peer-key-file', needed, 'further members connect with TLS'),
    any('peer-trusted-ca-file', needed, 'without it anybody may become a member'),
    isTrue('peer-client-cert-auth', needed, 'without it anybody may become a member'),
    {
      flag: 'listen-client-urls',
      severity: needed,
      reason: "this node's API server connects there",
      expected: ({ advertiseAddress }) => etcdClientURL(loopbackOf(advertiseAddress)),
      comparison: 'has-items',
    },
    {
      flag: 'advertise-client-urls',
      severity: needed,
      reason: 'joining nodes and reset look for the member there',
      expected: ({ advertiseAddress }) => etcdClientURL(advertiseAddress),
      comparison: 'has-items',
    },
    {
      flag: 'initial-advertise-peer-urls',
      severity: needed,
      reason: 'joining nodes and reset look for the member there',
      expected: ({ advertiseAddress }) => etcdPeerURL(advertiseAddress),
      comparison: 'has-items',
    },
    any('listen-peer-urls', needed, 'further members connect there'),
    {
      flag: 'name',
      severity: needed,
      reason: 'members are named after their nodes',
      expected: ({ nodeName }) => nodeName,
    },
    {
      flag: 'data-dir',
      severity: advised,
      reason: 'reset and upgrade look for the data there',
      expected: ({ etcd }) => etcd.local?.dataDir ?? '',
    },
    any('listen-metrics-urls', advised, 'health is asked for there'),
  ],
  'kube-apiserver': [
    any('client-ca-file', needed, 'no certificate of the cluster would be accepted'),
    any('etcd-servers', needed, 'the API server has no store'),
    { ...any('etcd-cafile', needed, 'a local etcd is reached with TLS'), when: isLocal },
    { ...any('etcd-certfile', needed, 'a local etcd asks for a certificate'), when: isLocal },
    { ...any('etcd-keyfile', needed, 'a local etcd asks for a certificate'), when: isLocal },
    any('kubelet-client-certificate', needed, 'logs and exec need it at the kubelets'),
    any('kubelet-client-key', needed, 'logs and exec need it at the kubelets'),
    any('service-account-issuer', needed, 'the API server does not start without it'),
    any('service-account-key-file', needed, 'no token of a service account would be accepted'),
    any('service-account-signing-key-file', needed, 'the API server does not start without it'),
    any('tls-cert-file', needed, 'clients would meet a self-signed certificate'),
    any('tls-private-key-file', needed, 'clients would meet a self-signed certificate'),
    isTrue('enable-bootstrap-token-auth', needed, 'nodes could not join by token'),
    {
      ...isTrue('allow-privileged', needed, 'kube-proxy and network plugins run privileged containers'),
      fallback: 'false',
    },
    {
      flag: 'secure-port',
      severity: needed,
      reason: 'every kubeconfig file of this node names that port',
      expected: ({ bindPort }) => String(bindPort),
      fallback: '6443',
    },
    {
      flag: 'service-cluster-ip-range',
      severity: needed,
      reason: 'certificates and cluster DNS use addresses of that range',
      expected: ({ networking }) => networking.serviceSubnet,
    },
    {
      flag: 'authorization-mode',
      severity: needed,
      reason: 'nodes and bootstrap tokens get their rights by both',
      expected: () => 'Node,RBAC',
      comparison: 'has-items',
    },
    {
      flag: 'advertise-address',
      severity: advised,
      reason: 'the kubernetes service leads there',
      expected: ({ advertiseAddress }) => advertiseAddress,
    },
    {
      flag: 'enable-admission-plugins',
      severity: advised,
      reason: 'without it a node may change the objects of other nodes',
      expected: () => 'NodeRestriction',
      comparison: 'has-items',
    },
    any('requestheader-client-ca-file', advised, 'extension API servers need it'),
    any('proxy-client-cert-file', advised, 'extension API servers need it'),
    any('proxy-client-key-file', advised, 'extension API servers need it'),
  ],
  'kube-controller-manager': [
    any('kubeconfig', needed, 'the controller manager could not reach the API server'),
    any('root-ca-file', needed, 'pods would not get the CA of the cluster'),
    any('service-account-private-key-file', needed, 'service accounts would get no tokens'),
    {
      ...any('cluster-signing-cert-file', needed, 'joining nodes would get no certificate'),
      when: ({ hasCAKey }) => hasCAKey,
    },
    {
      ...any('cluster-signing-key-file', needed, 'joining nodes would get no certificate'),
      when: ({ hasCAKey }) => hasCAKey,
    },
    {
      flag: 'controllers',
      severity: needed,
      reason: 'without bootstrapsigner no node can join by token, without tokencleaner tokens stay',
      expected: () => 'bootstrapsigner,tokencleaner',
      comparison: 'has-items',
    },
    {
      ...isTrue('allocate-node-cidrs', needed, 'pods get addresses from their node'),
      when: hasPods,
      fallback: 'false',
    },
    {
      flag: 'cluster-cidr',
      severity: needed,
      reason: 'pods get addresses from that range',
      expected: ({ networking }) => networking.podSubnet,
      when: hasPods,
    },
    isTrue('use-service-account-credentials', advised, 'every controller would have all rights'),
    { ...isTrue('leader-elect', advised, 'two control planes would work against each other'), fallback: 'true' },
  ],
  'kube-scheduler': [
    any('kubeconfig', needed, 'the scheduler could not reach the API server'),
    { ...isTrue('leader-elect', advised, 'two control planes would work against each other'), fallback: 'true' },
  ],
};
