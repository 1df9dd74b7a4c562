import { lastArgument, mergedValue } from './command-arguments.ts';
import type { ControlPlaneComponent, ControlPlaneFacts } from './control-plane-facts.ts';
import { etcdClientURL, etcdPeerURL, etcdPorts, joinHostPort, loopbackOf } from './etcd-urls.ts';
import { joinPath } from './host-path.ts';

/** One flag that we set. */
export interface FlagRow {
  readonly name: string;
  readonly value: string | ((facts: ControlPlaneFacts) => string);
  /** Absent: the flag is always set. */
  readonly when?: (facts: ControlPlaneFacts) => boolean;
}

type FlagValue = FlagRow['value'];

const controllerManagerConfig = '/etc/kubernetes/controller-manager.conf';
const schedulerConfig = '/etc/kubernetes/scheduler.conf';

/**
 * The flags of the control plane, one row per flag. Source: kubeadm's phases/controlplane/manifests.go and
 * phases/etcd/local.go. Users override them by extraArgs, see {@link commandArguments}.
 */
export const componentFlags: Readonly<Record<ControlPlaneComponent, readonly FlagRow[]>> = {
  etcd: [
    { name: 'advertise-client-urls', value: ownClientURL },
    { name: 'cert-file', value: inPki('etcd/server.crt') },
    { name: 'client-cert-auth', value: 'true' },
    { name: 'data-dir', value: ({ etcd }) => etcd.local?.dataDir ?? '' },
    { name: 'feature-gates', value: 'InitialCorruptCheck=true' },
    { name: 'initial-advertise-peer-urls', value: ownPeerURL },
    { name: 'initial-cluster', value: initialCluster },
    { name: 'initial-cluster-state', value: 'existing', when: joinsEtcd },
    { name: 'key-file', value: inPki('etcd/server.key') },
    { name: 'listen-client-urls', value: (facts) => `${loopbackClientURL(facts)},${ownClientURL(facts)}` },
    { name: 'listen-metrics-urls', value: metricsURL },
    { name: 'listen-peer-urls', value: ownPeerURL },
    { name: 'name', value: ({ nodeName }) => nodeName },
    { name: 'peer-cert-file', value: inPki('etcd/peer.crt') },
    { name: 'peer-client-cert-auth', value: 'true' },
    { name: 'peer-key-file', value: inPki('etcd/peer.key') },
    { name: 'peer-trusted-ca-file', value: inPki('etcd/ca.crt') },
    { name: 'snapshot-count', value: '10000' },
    { name: 'trusted-ca-file', value: inPki('etcd/ca.crt') },
    { name: 'watch-progress-notify-interval', value: '5s' },
  ],
  'kube-apiserver': [
    { name: 'advertise-address', value: ({ advertiseAddress }) => advertiseAddress },
    { name: 'allow-privileged', value: 'true' },
    { name: 'authorization-mode', value: 'Node,RBAC', when: usesAuthorizationModes },
    { name: 'client-ca-file', value: inPki('ca.crt') },
    { name: 'enable-admission-plugins', value: 'NodeRestriction' },
    { name: 'enable-bootstrap-token-auth', value: 'true' },
    { name: 'etcd-cafile', value: etcdCA, when: (facts) => etcdCA(facts) !== '' },
    { name: 'etcd-certfile', value: (facts) => etcdClient(facts)?.cert ?? '', when: presentsEtcdClient },
    { name: 'etcd-keyfile', value: (facts) => etcdClient(facts)?.key ?? '', when: presentsEtcdClient },
    { name: 'etcd-servers', value: etcdServers },
    { name: 'kubelet-client-certificate', value: inPki('apiserver-kubelet-client.crt') },
    { name: 'kubelet-client-key', value: inPki('apiserver-kubelet-client.key') },
    { name: 'kubelet-preferred-address-types', value: 'InternalIP,ExternalIP,Hostname' },
    { name: 'proxy-client-cert-file', value: inPki('front-proxy-client.crt') },
    { name: 'proxy-client-key-file', value: inPki('front-proxy-client.key') },
    { name: 'requestheader-allowed-names', value: 'front-proxy-client' },
    { name: 'requestheader-client-ca-file', value: inPki('front-proxy-ca.crt') },
    { name: 'requestheader-extra-headers-prefix', value: 'X-Remote-Extra-' },
    { name: 'requestheader-group-headers', value: 'X-Remote-Group' },
    { name: 'requestheader-username-headers', value: 'X-Remote-User' },
    { name: 'secure-port', value: ({ bindPort }) => String(bindPort) },
    {
      name: 'service-account-issuer',
      value: ({ networking }) => `https://kubernetes.default.svc.${networking.dnsDomain}`,
    },
    { name: 'service-account-key-file', value: inPki('sa.pub') },
    { name: 'service-account-signing-key-file', value: inPki('sa.key') },
    { name: 'service-cluster-ip-range', value: ({ networking }) => networking.serviceSubnet },
    { name: 'tls-cert-file', value: inPki('apiserver.crt') },
    { name: 'tls-private-key-file', value: inPki('apiserver.key') },
  ],
  'kube-controller-manager': [
    { name: 'allocate-node-cidrs', value: 'true', when: hasPodSubnet },
    { name: 'authentication-kubeconfig', value: controllerManagerConfig },
    { name: 'authorization-kubeconfig', value: controllerManagerConfig },
    { name: 'bind-address', value: '127.0.0.1' },
    { name: 'client-ca-file', value: inPki('ca.crt') },
    { name: 'cluster-cidr', value: ({ networking }) => networking.podSubnet, when: hasPodSubnet },
    { name: 'cluster-name', value: ({ clusterName }) => clusterName, when: ({ clusterName }) => clusterName !== '' },
    // Empty with an external CA: the signing controller then does not start.
    { name: 'cluster-signing-cert-file', value: (facts) => (facts.hasCAKey ? inPki('ca.crt')(facts) : '') },
    { name: 'cluster-signing-key-file', value: (facts) => (facts.hasCAKey ? inPki('ca.key')(facts) : '') },
    { name: 'controllers', value: '*,bootstrapsigner,tokencleaner' },
    { name: 'kubeconfig', value: controllerManagerConfig },
    { name: 'leader-elect', value: 'true' },
    { name: 'requestheader-client-ca-file', value: inPki('front-proxy-ca.crt') },
    { name: 'root-ca-file', value: inPki('ca.crt') },
    { name: 'service-account-private-key-file', value: inPki('sa.key') },
    {
      name: 'service-cluster-ip-range',
      value: ({ networking }) => networking.serviceSubnet,
      when: (facts) => hasPodSubnet(facts) && facts.networking.serviceSubnet !== '',
    },
    { name: 'use-service-account-credentials', value: 'true' },
  ],
  'kube-scheduler': [
    { name: 'authentication-kubeconfig', value: schedulerConfig },
    { name: 'authorization-kubeconfig', value: schedulerConfig },
    { name: 'bind-address', value: '127.0.0.1' },
    { name: 'kubeconfig', value: schedulerConfig },
    { name: 'leader-elect', value: 'true' },
  ],
};

/** The flags of a component for these facts, before the user's extraArgs. */
export function ownFlags(
  component: ControlPlaneComponent,
  facts: ControlPlaneFacts,
): { name: string; value: string }[] {
  return componentFlags[component]
    .filter(({ when }) => when === undefined || when(facts))
    .map(({ name, value }) => ({ name, value: flagValue(value, facts) }));
}

function flagValue(value: FlagValue, facts: ControlPlaneFacts): string {
  return typeof value === 'string' ? value : value(facts);
}

function inPki(name: string): (facts: ControlPlaneFacts) => string {
  return ({ certificatesDir }) => joinPath(certificatesDir, name);
}

function hasPodSubnet({ networking }: ControlPlaneFacts): boolean {
  return networking.podSubnet !== '';
}

/** The API server refuses modes beside an authorization configuration. */
function usesAuthorizationModes({ apiServer }: ControlPlaneFacts): boolean {
  return lastArgument(apiServer.extraArgs, 'authorization-config') === undefined;
}

function ownClientURL({ advertiseAddress }: ControlPlaneFacts): string {
  return etcdClientURL(advertiseAddress);
}

function ownPeerURL({ advertiseAddress }: ControlPlaneFacts): string {
  return etcdPeerURL(advertiseAddress);
}

function loopbackClientURL({ advertiseAddress }: ControlPlaneFacts): string {
  return etcdClientURL(loopbackOf(advertiseAddress));
}

function metricsURL({ advertiseAddress }: ControlPlaneFacts): string {
  return `http://${joinHostPort(loopbackOf(advertiseAddress), etcdPorts.metrics)}`;
}

function joinsEtcd({ etcdInitialCluster = [] }: ControlPlaneFacts): boolean {
  return etcdInitialCluster.length > 0;
}

function initialCluster(facts: ControlPlaneFacts): string {
  const { etcdInitialCluster = [], nodeName } = facts;
  if (etcdInitialCluster.length === 0) return `${nodeName}=${ownPeerURL(facts)}`;
  return etcdInitialCluster.map(({ name, peerURL }) => `${name}=${peerURL}`).join(',');
}

function etcdServers(facts: ControlPlaneFacts): string {
  if (facts.etcd.external !== undefined) return facts.etcd.external.endpoints.join(',');
  // Where the user moves etcd's client URLs, the API server has to follow.
  const advertised = lastArgument(facts.etcd.local?.extraArgs, 'advertise-client-urls');
  const own = loopbackClientURL(facts);
  return advertised === undefined ? own : mergedValue(own, advertised);
}

function etcdCA(facts: ControlPlaneFacts): string {
  const { external } = facts.etcd;
  return external === undefined ? inPki('etcd/ca.crt')(facts) : (external.caFile ?? '');
}

function etcdClient(facts: ControlPlaneFacts): { readonly cert: string; readonly key: string } | undefined {
  const { external } = facts.etcd;
  if (external === undefined) {
    return { cert: inPki('apiserver-etcd-client.crt')(facts), key: inPki('apiserver-etcd-client.key')(facts) };
  }
  const { certFile = '', keyFile = '' } = external;
  return certFile === '' || keyFile === '' ? undefined : { cert: certFile, key: keyFile };
}

function presentsEtcdClient(facts: ControlPlaneFacts): boolean {
  return etcdClient(facts) !== undefined;
}
