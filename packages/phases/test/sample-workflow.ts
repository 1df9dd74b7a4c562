import { type Finding, GroundplaneError } from '@groundplane/errors';
import {
  type Artifact,
  type ClusterObject,
  contract,
  defineWorkflow,
  type Layout,
  optional,
  type SigningRequest,
  type Workflow,
} from '../src/index.ts';
import {
  fakeKeyDigest,
  type Memory,
  type MemoryPorts,
  type MemoryPortsOptions,
  memoryPorts,
  parseFakeCertificate,
} from '../src/testing/index.ts';
import {
  access,
  agentRuns,
  agentSettings,
  binding,
  caCertificate,
  caKey,
  clientCertificate,
  clientKey,
  configMap,
  identity,
  isSubset,
  joinToken,
  node,
  serverCertificate,
  serverKey,
  settings,
} from './sample-artifacts.ts';

/** A small cluster of nothing: every kind of phase that the contract knows, with the fake signer. */

export interface SampleConfig {
  readonly name: string;
  readonly token: string;
}

export const sampleConfig: SampleConfig = { name: 'sample', token: 'abcdef.0123456789abcdef' };
export const sample = contract<SampleConfig>();

export const sampleLayout: Layout = {
  kubernetes: '/etc/sample',
  pki: '/etc/sample',
  kubelet: '/var/lib/sample',
  etcdData: '/var/lib/sample-data',
  nodeName: 'node',
};

export function finding(artifact: string, message: string): Finding {
  return { code: 'SAMPLE_WRONG', severity: 'error', artifact, message };
}

function requestFor(name: string, now: Date, issuer: 'self' | { certificate: string; key?: string }): SigningRequest {
  const certificate = {
    commonName: name,
    organizations: [],
    dnsNames: [`${name}.example`],
    ipAddresses: [],
    usages: ['serverAuth'] as const,
    isCA: issuer === 'self',
    notBefore: now,
    notAfter: new Date(now.getTime() + 86_400_000),
    issuer,
  };
  return { name, algorithm: 'ECDSA-P256', certificate };
}

async function pairFindings(
  subject: string,
  { certificate, key }: { certificate: string; key: string | undefined },
  authority?: string,
): Promise<readonly Finding[]> {
  const own = parseFakeCertificate(certificate);
  const issuer = authority === undefined ? own.key : parseFakeCertificate(authority).key;
  return [
    ...(own.subject === subject ? [] : [finding(subject, `it is the certificate of ${own.subject}`)]),
    ...(own.issuer === issuer ? [] : [finding(subject, 'it was issued by somebody else')]),
    ...(key === undefined || (await fakeKeyDigest(key)) === own.key
      ? []
      : [finding(subject, 'its key is another one')]),
  ];
}

export const caPhase = sample.definePhase({
  name: 'certs/ca',
  summary: 'Make the CA',
  writes: { certificate: caCertificate, key: optional(caKey) },
  render: ({ now, existing, issue, outputs }) =>
    issue(
      { ...requestFor('ca', now, 'self'), ...(existing.key && { key: existing.key }) },
      ({ certificate = '', key }) => outputs({ certificate, key }),
    ),
  verify: ({ outputs }) => pairFindings('ca', outputs),
});

function leaf(name: string, certificate: Artifact<string>, key: Artifact<string>) {
  return sample.definePhase({
    name: `certs/${name}`,
    summary: `Make the certificate of the ${name}`,
    reads: { authority: caCertificate, authorityKey: optional(caKey) },
    writes: { certificate, key },
    render({ now, inputs, existing, issue, outputs }) {
      if (existing.certificate !== undefined && existing.key === undefined)
        throw new GroundplaneError(
          'SAMPLE_KEY_MISSING',
          `Cannot use the certificate of the ${name} as its key is gone`,
          {
            kind: 'conflict',
          },
        );
      const issuer = { certificate: inputs.authority, ...(inputs.authorityKey && { key: inputs.authorityKey }) };
      const request = requestFor(name, now, issuer);
      return issue({ ...request, ...(existing.key && { key: existing.key }) }, (issued) =>
        outputs({ certificate: issued.certificate ?? '', key: issued.key }),
      );
    },
    verify: ({ inputs, outputs }) => pairFindings(name, outputs, inputs.authority),
  });
}

export const serverPhase = leaf('server', serverCertificate, serverKey);
export const clientPhase = leaf('client', clientCertificate, clientKey);

export const accessPhase = sample.definePhase({
  name: 'access',
  summary: 'Make the access file',
  reads: { certificate: clientCertificate, key: clientKey },
  writes: { access },
  render: ({ inputs, outputs }) => outputs({ access: accessText(inputs) }),
  verify: ({ inputs, outputs }) =>
    outputs.access === accessText(inputs) ? [] : [finding('access', 'it holds another certificate or key')],
});

function accessText({ certificate, key }: { certificate: string; key: string }): string {
  return `access ${certificate} ${key.trim()}\n`;
}

export const settingsPhase = sample.definePhase({
  name: 'settings',
  summary: 'Write the settings',
  reads: { certificate: serverCertificate },
  writes: { settings },
  render: ({ config, inputs, outputs }) =>
    outputs({ settings: { name: config.name, certificate: inputs.certificate } }),
  verify: ({ config, outputs }) => (outputs.settings.name === config.name ? [] : [finding('settings', 'another name')]),
});

export const tokenPhase = sample.definePhase({
  name: 'agent/token',
  summary: 'Write the token with which the agent joins',
  writes: { token: joinToken },
  render: ({ config, outputs }) => outputs({ token: `token ${config.token}\n` }),
  verify: ({ config, outputs }) => (outputs.token.includes(config.token) ? [] : [finding('token', 'another token')]),
});

const agent = 'agent';

export const agentPhase = sample.defineEffect({
  name: 'agent/start',
  summary: 'Start the agent',
  reads: { settings, token: optional(joinToken), identity: optional(identity) },
  writes: { agentSettings, running: agentRuns },
  uses: ['host'],
  render: ({ config, outputs }) => outputs({ agentSettings: { name: config.name }, running: undefined }),
  async run({ ports, progress }) {
    progress('Starting the agent');
    await ports.host.services.restart(agent);
  },
  async undo({ ports }) {
    await ports.host.services.stop(agent);
  },
  async verify({ ports: { host } }) {
    const { active, startedMs = 0 } = await host.services.status(agent);
    const file = await host.files.status('/etc/sample/agent.json');
    if (active && file !== undefined && startedMs >= file.modifiedMs) return [];
    return [finding(agent, 'it does not run with its settings')];
  },
});

export const identityPhase = sample.defineEffect({
  name: 'agent/identity',
  summary: 'Wait until the agent has its identity',
  reads: { running: agentRuns },
  writes: { identity },
  removes: [joinToken],
  uses: ['host'],
  run: ({ ports: { host }, wait }) =>
    wait({ subject: 'the identity of the agent', timeoutMs: 10_000, intervalMs: 500 }, async () =>
      (await host.files.status('/etc/sample/identity')) ? { done: true } : { done: false, reason: 'it has none yet' },
    ),
  async verify({ ports: { host } }) {
    return (await host.files.status('/etc/sample/identity')) ? [] : [finding('identity', 'the agent has none')];
  },
});

export const sealPhase = sample.definePhase({
  name: 'agent/seal',
  summary: 'Seal the identity',
  amends: { identity },
  render: ({ existing, outputs }) => outputs({ identity: sealed(existing.identity ?? '') }),
  verify: ({ outputs }) => (outputs.identity === sealed(outputs.identity) ? [] : [finding('identity', 'not sealed')]),
});

function sealed(text: string): string {
  return text.includes('sealed') ? text : `${text.trimEnd()} sealed\n`;
}

const local = { kubeconfig: access, endpoint: 'local' } as const;
const wantedBinding: ClusterObject = {
  apiVersion: 'sample/v1',
  kind: 'Binding',
  metadata: { name: 'sample-admins' },
  subjects: ['admins'],
};

export const bindingPhase = sample.defineEffect({
  name: 'binding',
  summary: 'Bind the administrators',
  hidden: true,
  reads: { running: agentRuns },
  writes: { binding },
  connect: local,
  uses: ['cluster'],
  foresee: () => ({ outputs: { binding: wantedBinding } }),
  async run({ ports: { cluster } }) {
    await cluster.apply(wantedBinding);
  },
  async verify({ ports: { cluster } }) {
    const live = await cluster.get({ apiVersion: 'sample/v1', kind: 'Binding', name: 'sample-admins' });
    return isSubset(wantedBinding, live) ? [] : [finding('binding', 'the administrators are not bound')];
  },
});

export const uploadPhase = sample.definePhase({
  name: 'upload',
  summary: 'Upload the configuration',
  reads: { binding },
  writes: { configMap },
  connect: local,
  render: ({ config, outputs }) =>
    outputs({
      configMap: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'sample-config', namespace: 'kube-system' },
        data: { name: config.name },
      },
    }),
  verify: ({ config, outputs }) =>
    outputs.configMap.data?.name === config.name ? [] : [finding('upload', 'another name')],
});

export const markPhase = sample.defineEffect({
  name: 'mark',
  summary: 'Label the node',
  reads: { binding },
  writes: { node },
  connect: local,
  uses: ['cluster'],
  async run({ ports: { cluster }, wait }) {
    await wait({ subject: 'the node', timeoutMs: 10_000, intervalMs: 1_000 }, async () =>
      (await cluster.get(nodeReference)) ? { done: true } : { done: false, reason: 'it is not registered' },
    );
    await cluster.patch(nodeReference, { metadata: { labels: { role: 'sample' } } });
  },
  async verify({ ports: { cluster } }) {
    const live = await cluster.get(nodeReference);
    return live?.metadata.labels?.role === 'sample' ? [] : [finding('node', 'it lacks the label')];
  },
});

/** @param options.secret whether it says that what it hands back is secret */
export function tellingPhase(options: { readonly secret?: true } = { secret: true }) {
  return sample.defineEffect({
    name: 'tell',
    summary: 'Tell the token',
    reads: { token: optional(joinToken) },
    uses: [],
    everyTime: () => true,
    run: async ({ config, result }) => result('token', { token: config.token }, options),
    verify: () => [],
  });
}

const nodeReference = { apiVersion: 'v1', kind: 'Node', name: 'node' };

export const samplePhases = [
  caPhase,
  serverPhase,
  clientPhase,
  accessPhase,
  settingsPhase,
  tokenPhase,
  agentPhase,
  identityPhase,
  sealPhase,
  bindingPhase,
  uploadPhase,
  markPhase,
];

export function sampleWorkflow(phases: Workflow<SampleConfig>['phases'] = samplePhases): Workflow<SampleConfig> {
  return defineWorkflow<SampleConfig>({
    name: 'sample',
    summary: 'Make a sample',
    layout: () => sampleLayout,
    localEndpoint: () => 'https://192.0.2.10:6443',
    phases,
  });
}

/** A world in which the agent, once it runs with a token, takes a second to get its identity, registers its node and answers for the API. */
export function sampleWorld(seed = 1, options: MemoryPortsOptions = {}): MemoryPorts {
  const advance = (memory: Memory) => {
    if (memory.unit(agent)?.active !== true) return;
    const token = memory.text('/etc/sample/join-token');
    if (memory.text('/etc/sample/identity') === undefined && token !== undefined)
      memory.put('/etc/sample/identity', { content: `identity of ${token.split(' ')[1]?.slice(0, 6)}\n`, mode: 0o600 });
    if (memory.object(nodeReference) === undefined)
      memory.putObject({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node' } });
  };
  return memoryPorts({
    seed,
    probe: (_, memory) => (memory.unit(agent)?.active ? { status: 200, text: 'ok' } : { text: 'nobody listens' }),
    units: { [agent]: {} },
    onSleep: advance,
    apiRefusal: (_, memory) => (memory.unit(agent)?.active ? undefined : 'nobody listens there'),
    ...options,
  });
}
