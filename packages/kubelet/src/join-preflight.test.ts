import { expect, it, test } from 'vitest';
import { goodFacts, sampleJoin } from '../test/sample-node.ts';
import { joinPreflightChecks } from './preflight-checks.ts';
import type { PreflightConfiguration } from './preflight-configuration.ts';
import type { PreflightFacts } from './preflight-facts.ts';
import { type PreflightOptions, preflightNames, runPreflight } from './run-preflight.ts';

const good = goodFacts(sampleJoin, joinPreflightChecks);
const present = (path: string) => ({ files: { ...good.files, [path]: true } });

function outcome(
  facts: Partial<PreflightFacts>,
  change: Partial<PreflightConfiguration> = {},
  options: PreflightOptions = {},
): readonly string[] {
  const configuration = { ...sampleJoin, ...change };
  const answers = { ...goodFacts(configuration, joinPreflightChecks), ...facts };
  return runPreflight(joinPreflightChecks, configuration, answers, options).map(
    ({ severity, artifact }) => `${severity} ${artifact}`,
  );
}

it('passes on a good host', () => {
  expect(outcome({})).toEqual([]);
});

it('has the names and the order of kubeadm', () => {
  expect(preflightNames(joinPreflightChecks, sampleJoin)).toEqual([
    'IsPrivilegedUser',
    'FileAvailable--etc-kubernetes-kubelet.conf',
    'FileAvailable--etc-kubernetes-bootstrap-kubelet.conf',
    'CRI',
    'ContainerRuntimeVersion',
    'Swap',
    'FileExisting-losetup',
    'FileExisting-mount',
    'FileExisting-cp',
    'SystemVerification',
    'Hostname',
    'KubeletVersion',
    'Service-kubelet',
    'Port-10250',
    'FileAvailable--etc-kubernetes-pki-ca.crt',
    'HTTPProxy',
    'FileContent--proc-sys-net-ipv4-ip_forward',
  ]);
});

test.each<[string, Partial<PreflightFacts>, readonly string[]]>([
  ['not root: alone', { uid: 1000, cpus: 1 }, ['error IsPrivilegedUser']],
  [
    'kubelet.conf is there',
    present('/etc/kubernetes/kubelet.conf'),
    ['error FileAvailable--etc-kubernetes-kubelet.conf'],
  ],
  ['a CA is there', present('/etc/kubernetes/pki/ca.crt'), ['error FileAvailable--etc-kubernetes-pki-ca.crt']],
  ['the port of the kubelet is taken', { ports: { ':10250': false } }, ['error Port-10250']],
  ['a kubelet that is too old', { kubeletVersion: { output: 'Kubernetes v1.33.9\n' } }, ['error KubeletVersion']],
  ['a kubelet that is newer', { kubeletVersion: { output: 'Kubernetes v1.38.0\n' } }, ['warning KubeletVersion']],
  [
    'a proxy before the API server',
    { proxyEnvironment: [{ name: 'HTTPS_PROXY', value: 'http://proxy:3128' }] },
    ['warning HTTPProxy'],
  ],
])('%s', (_, facts, expected) => {
  expect(outcome(facts)).toEqual(expected);
});

test('what is ours already is no obstacle', () => {
  const satisfied = new Set(['FileAvailable--etc-kubernetes-kubelet.conf']);
  expect(outcome(present('/etc/kubernetes/kubelet.conf'), {}, { satisfied })).toEqual([]);
});

test('discovery by a file asks for no proxy, and a control-plane node for its CA in another place', () => {
  const names = preflightNames(joinPreflightChecks, { ...sampleJoin, families: [], join: { kubeconfigs: [] } });
  expect(names.filter((name) => /^(?:HTTPProxy|FileAvailable|FileContent)/.test(name))).toEqual([]);
});
