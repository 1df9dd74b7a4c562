import { type ArtifactChange, ofPod } from './artifact-changes.ts';

const other = { name: 'other', image: 'registry.example/other:1' };

/** The flags of the container with others in their place or beside them. */
function withFlags(flags: Readonly<Record<string, string | undefined>>): ArtifactChange {
  return ofPod((_, container) => {
    const rest = container.command.filter((word) => !Object.keys(flags).some((flag) => word.startsWith(`--${flag}=`)));
    const given = Object.entries(flags).filter(([, value]) => value !== undefined);
    container.command = [...rest, ...given.map(([flag, value]) => `--${flag}=${value}`)];
  });
}

/** What the kubelet takes, and the phases would not make. */
export const foreignPodChanges = {
  'with another container': ofPod((pod) => {
    pod.spec.containers.push({ ...other, command: ['other'] });
  }),
  'with an init container': ofPod((pod) => {
    pod.spec.initContainers = [other];
  }),
  'with the processes of the host': ofPod((pod) => {
    pod.spec.hostPID = true;
  }),
  privileged: ofPod((_, container) => {
    container.securityContext = { privileged: true };
  }),
  'with a flag of long ago': withFlags({ port: '0' }),
  'with a request of resources in words': ofPod((_, container) => {
    container.resources = { requests: { cpu: 'lots' } };
  }),
  'with a restart policy of its own': ofPod((pod) => {
    pod.spec.restartPolicy = 'Sometimes';
  }),
  'with an image in upper case': ofPod((_, container) => {
    container.image = 'registry.k8s.io/ETCD:3';
  }),
  'with a mount of no volume': ofPod((_, container) => {
    container.volumeMounts = [{ name: 'gone', mountPath: '/gone' }];
  }),
  'with a misspelt field': ofPod((pod) => {
    pod.spec.hostNetwrk = true;
  }),
} satisfies Readonly<Record<string, ArtifactChange>>;

/** Of etcd alone. */
export const foreignEtcdChanges = {
  'as another member': withFlags({ 'initial-cluster': 'other=https://192.0.2.1:2380' }),
} satisfies Readonly<Record<string, ArtifactChange>>;

const pki = '/etc/kubernetes/pki';

/** Of kube-apiserver alone. */
export const foreignServerChanges = {
  'with its store at another port': withFlags({ 'etcd-servers': 'https://127.0.0.1:2400' }),
  'open to everybody': withFlags({ 'authorization-mode': 'AlwaysAllow' }),
  'open to everybody besides': withFlags({ 'authorization-mode': 'Node,RBAC,AlwaysAllow', 'anonymous-auth': 'true' }),
  'without anonymous requests': withFlags({ 'anonymous-auth': 'false' }),
  'with an insecure port': withFlags({ 'insecure-port': '8080' }),
  'with its authorization in a file': withFlags({
    'authorization-mode': undefined,
    'authorization-config': `${pki}/authorization.yaml`,
  }),
  'with its authorization in a file too': withFlags({ 'authorization-config': `${pki}/authorization.yaml` }),
  'without NodeRestriction': withFlags({ 'enable-admission-plugins': 'AlwaysPullImages' }),
  'with NodeRestriction switched off': withFlags({ 'disable-admission-plugins': 'NodeRestriction' }),
  'with another client CA': withFlags({ 'client-ca-file': `${pki}/front-proxy-ca.crt` }),
  'with another key for tokens': withFlags({ 'service-account-signing-key-file': `${pki}/front-proxy-client.key` }),
} satisfies Readonly<Record<string, ArtifactChange>>;
