import { currentContextOf, parseKubeconfig } from '@groundplane/kubeconfig';
import { runWorkflow } from '@groundplane/phases';
import type { MemoryPorts } from '@groundplane/phases/testing';
import { describe, expect, test } from 'vitest';
import {
  answeringServer,
  bootId,
  clusterAuthority,
  clusterObjects,
  joinWorld,
  kubeletKubeconfig,
  machineId,
  nodeNamed,
  paths,
  server,
  token,
} from '../test/join-world.ts';
import { byFile, refusal, resolve } from '../test/resolved-join.ts';
import { joinWorkflow } from './join-workflow.ts';
import { type JoinRequest, resolveJoin } from './resolve-join.ts';

describe('the context', () => {
  test('is that of the cluster, with this node', async () => {
    const ports = joinWorld();
    const { context, warnings, skipPhases, dryRun } = await resolve(ports);
    expect(context).toMatchObject({
      server,
      certificateAuthority: clusterAuthority.certificate,
      cluster: { clusterName: 'example', kubernetesVersion: 'v1.37.2' },
      kubelet: { maxPods: 42, clusterDomain: 'cluster.local' },
      init: { nodeRegistration: { name: 'node-b', criSocket: 'unix:///var/run/containerd/containerd.sock' } },
      machine: { hostName: 'node-b' },
      kubeconfigDirectory: '/etc/kubernetes',
    });
    expect(context.registeredNode).toBeUndefined();
    expect({ warnings, skipPhases, dryRun }).toEqual({ warnings: [], skipPhases: [], dryRun: false });
    expect(ports.memory.writes).toEqual([]);
  });

  test('has a kubeconfig with the name of the cluster and the token for the kubelet', async () => {
    const other = 'bcdefg.0123456789abcdef';
    const { context } = await resolve(joinWorld(), { flags: { 'tls-bootstrap-token': other } });
    const kubeconfig = parseKubeconfig(context.bootstrapKubeconfig);
    expect(currentContextOf(kubeconfig)).toMatchObject({
      cluster: 'example',
      server,
      certificateAuthority: clusterAuthority.certificate,
      user: 'tls-bootstrap-token-user',
      token: other,
    });
    expect(kubeconfig.clusters).toHaveLength(1);
  });

  test('takes a file: its name for the node, taints, timeouts, and warns that no CA is pinned', async () => {
    const lines = [
      'nodeRegistration: {name: Worker-7, taints: [{key: a, value: b, effect: NoSchedule}]}',
      'timeouts: {tlsBootstrap: 7s}',
      'caCertPath: /etc/pki/cluster.crt',
    ];
    const { context, warnings } = await resolve(joinWorld(), byFile(...lines));
    expect(context.init).toMatchObject({
      nodeRegistration: { name: 'worker-7', taints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }] },
      timeouts: { tlsBootstrap: '7s' },
    });
    expect(context.join.caCertPath).toBe('/etc/pki/cluster.crt');
    expect(warnings.map(({ code }) => code)).toEqual(['DISCOVERY_CA_NOT_PINNED']);
  });

  test.each([
    ['is Ready on another machine', nodeNamed('node-b', { ready: true, machineID: 'x', bootID: bootId }), true, false],
    [
      'is a clone of this machine',
      nodeNamed('node-b', { ready: true, machineID: machineId, bootID: 'x' }),
      true,
      false,
    ],
    ['is this machine', nodeNamed('node-b', { ready: true, machineID: machineId, bootID: bootId }), true, true],
    ['is not Ready', nodeNamed('node-b', { ready: false, machineID: 'x', bootID: 'x' }), false, false],
  ])('knows a Node of the name that %s', async (_, node, isReady, isThisMachine) => {
    const { context } = await resolve(joinWorld({ objects: [...clusterObjects(), node] }));
    expect(context.registeredNode).toEqual({ isReady, isThisMachine });
  });

  test('asks for the Node by the name that the kubelet will take', async () => {
    const objects = [...clusterObjects(), nodeNamed('other', { ready: true })];
    const lines = 'nodeRegistration: {kubeletExtraArgs: [{name: hostname-override, value: other}]}';
    const { context } = await resolve(joinWorld({ objects }), byFile(lines));
    expect(context.registeredNode).toEqual({ isReady: true, isThisMachine: false });
  });

  test('has the patches, where a phase uses them', async () => {
    const files = { '/p/kubeletconfiguration.yaml': 'maxPods: 9\n' };
    const flags = { patches: '/p' };
    expect((await resolve(joinWorld({ files }), { flags })).context.patches).toMatchObject([
      { target: 'kubeletconfiguration' },
    ]);
    const unused = { flags, command: 'join phase preflight' };
    expect((await resolve(joinWorld({ files }), unused)).context.patches).toEqual([]);
  });
});

describe('what is refused before anybody is asked', () => {
  const never: JoinRequest['fetch'] = async () => expect.fail('the network was asked');

  test.each<[string, Partial<JoinRequest>]>([
    ['by flag', { flags: { 'control-plane': true } }],
    ['by file', byFile('controlPlane: {}')],
  ])('a control-plane node %s', async (_, change) => {
    const ports = joinWorld({ facts: { uid: () => expect.fail('the machine was asked') } });
    const error = await refusal(ports, { ...change, fetch: never });
    expect(error).toMatchObject({ code: 'BOOTSTRAP_CONTROL_PLANE_JOIN_MISSING', kind: 'usage' });
    expect(error.hint).toContain('kubeadm');
    expect(ports.memory.connections).toEqual([]);
  });

  test('somebody who is not root, unless that is ignored or not asked for', async () => {
    const ports = joinWorld({ facts: { uid: () => 1000 } });
    const error = await refusal(ports, { fetch: never });
    expect(error).toMatchObject({ code: 'BOOTSTRAP_PREFLIGHT_FAILED', kind: 'conflict' });
    expect(error.findings.map(({ artifact, message }) => `${artifact}: ${message}`)).toEqual([
      'IsPrivilegedUser: user is not running as root',
    ]);
    for (const change of [
      { flags: { 'ignore-preflight-errors': ['IsPrivilegedUser'] } },
      { flags: { 'skip-phases': ['preflight'] } },
      { command: 'join phase kubelet-start' },
    ])
      expect((await resolve(ports, change)).context.server).toBe(server);
  });

  test('a discovery file that does not exist, relative to the working directory', async () => {
    const kubeconfig = kubeletKubeconfig();
    const ports = joinWorld({ files: { '/srv/cluster.conf': kubeconfig } });
    const flags = { 'discovery-file': 'cluster.conf', 'discovery-token-ca-cert-hash': undefined, token };
    const change = { flags, endpoint: undefined, fetch: never };
    expect(await refusal(ports, change)).toMatchObject({ code: 'CONFIG_INVALID', kind: 'usage' });
    // With the folder it is found, and the credentials in it are not.
    const found = { ...change, workingDirectory: '/srv' };
    expect(await refusal(ports, found)).toMatchObject({ code: 'DISCOVERY_FILE_UNREADABLE' });
  });
});

describe('a CA in another place than the kubelet of the cluster looks for it', () => {
  const elsewhere = byFile('caCertPath: /etc/pki/cluster.crt');
  const missing = '/etc/kubernetes/pki/ca.crt';

  test('is told, unless it is in both', async () => {
    expect((await resolve(joinWorld(), elsewhere)).context.missingClientAuthority).toBe(missing);
    const files = { [missing]: clusterAuthority.certificate };
    expect((await resolve(joinWorld({ files }), elsewhere)).context).not.toHaveProperty('missingClientAuthority');
    expect((await resolve(joinWorld())).context).not.toHaveProperty('missingClientAuthority');
  });

  test('stops join before anything is written', async () => {
    const ports = joinWorld();
    const { context } = await resolve(ports, elsewhere);
    const selection = { only: ['kubelet-start'] };
    const run = runWorkflow({
      actor: 'test',
      workflow: joinWorkflow,
      config: context,
      ports,
      selection,
      report: () => undefined,
    });
    await expect(run).rejects.toMatchObject({
      findings: [
        expect.objectContaining({
          code: 'BOOTSTRAP_JOIN_CONFLICT',
          message: expect.stringMatching(
            /^The kubelet would not start .*clientCAFile\): \/etc\/kubernetes\/pki\/ca\.crt$/,
          ),
          hint: expect.stringContaining(`caCertPath of the JoinConfiguration to ${missing}`),
        }),
      ],
    });
    expect(ports.memory.writes).toEqual([]);
  });
});

describe('a phase that is not told how the cluster is found', () => {
  const alone = { command: 'join phase kubelet-wait-bootstrap', endpoint: undefined, flags: {} } as const;
  const request = (ports: MemoryPorts) => ({ ...alone, ports, fetch: answeringServer });

  test('goes on with what is on the machine', async () => {
    const files = {
      [paths.bootstrap]: kubeletKubeconfig(),
      [paths.config]: 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nhealthzPort: 11248\n',
    };
    const { context, warnings } = await resolveJoin(request(joinWorld({ files })));
    expect(context).toMatchObject({
      server,
      certificateAuthority: clusterAuthority.certificate,
      kubelet: { healthzPort: 11248 },
    });
    expect(warnings).toEqual([]);
  });

  test('has nothing to go on with on a fresh machine', async () => {
    await expect(resolveJoin(request(joinWorld()))).rejects.toMatchObject({
      code: 'BOOTSTRAP_JOIN_NOT_STARTED',
      kind: 'conflict',
      hint: expect.stringContaining('join phase kubelet-start'),
    });
  });
});

test('phases of control-plane nodes need no skipping; a name that nobody knows is refused', async () => {
  const skip = ['control-plane-prepare/certs', 'check-etcd', 'Wait-Control-Plane', 'kubelet-wait-bootstrap'];
  expect((await resolve(joinWorld(), { flags: { 'skip-phases': skip } })).skipPhases).toEqual([
    'kubelet-wait-bootstrap',
  ]);
  const error = await refusal(joinWorld(), { flags: { 'skip-phases': ['no-such-phase'] } });
  expect(error.message).toBe('invalid phase name: no-such-phase');
});
