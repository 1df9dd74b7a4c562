import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NamedObject, parseDocuments, parseYaml } from '@groundplane/manifest';
import { memoryPorts } from '@groundplane/phases/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { phaseManifests, resolveInit } from '../src/index.ts';

const kubeadm = process.env.GROUNDPLANE_KUBEADM ?? '';
const folder = mkdtempSync(join(tmpdir(), 'groundplane-addon-manifests-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Row {
  readonly cluster?: object;
  readonly advertiseAddress?: string;
  readonly kubeProxy?: object;
  readonly patches?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
}

const rows: Readonly<Record<string, Row>> = {
  usual: {},
  'dual stack': {
    cluster: {
      networking: { serviceSubnet: '10.32.0.0/16,fd00:32::/112', podSubnet: '10.244.0.0/16,fd00:244::/56' },
    },
  },
  'dual stack, IPv6 first': {
    advertiseAddress: '2001:db8::10',
    cluster: { networking: { serviceSubnet: 'fd00:32::/112,10.32.0.0/16', podSubnet: 'fd00:244::/56' } },
  },
  'an IPv6 endpoint': { cluster: { controlPlaneEndpoint: '[2001:db8::1]:8443' } },
  'an endpoint without a port': { cluster: { controlPlaneEndpoint: 'lb.example.com' } },
  'another domain': { cluster: { networking: { dnsDomain: '1e3.example' } } },
  'another repository': { cluster: { imageRepository: 'registry.example.com:5000/k8s' } },
  'own images of CoreDNS': { cluster: { dns: { imageRepository: 'dns.example.com/x', imageTag: '1.10' } } },
  'an own tag of CoreDNS': { cluster: { dns: { imageTag: 'v9.9.9_own' } } },
  'a CI build': { cluster: { kubernetesVersion: 'ci/v1.37.3-beta.0.12+0123456789abcd' } },
  'an own configuration of kube-proxy': {
    cluster: { networking: { podSubnet: '10.244.0.0/16' } },
    kubeProxy: {
      mode: 'nftables',
      bindAddress: '192.0.2.1',
      nodePortAddresses: ['primary'],
      conntrack: { maxPerCore: 0, tcpCloseWaitTimeout: '1h' },
      featureGates: { AllAlpha: false },
      hostnameOverride: "it's #1: \u00e9\t",
    },
  },
  'proxy variables, which are not printed': {
    environment: { HTTPS_PROXY: 'http://192.0.2.5:3128', no_proxy: '.example.com' },
  },
  'strategic patches': {
    patches: {
      'corednsdeployment.yaml':
        'spec: {replicas: 4, template: {spec: {containers: [{name: coredns, env: [{name: GOGC, value: "50"}]}], tolerations: [{operator: Exists}]}}}',
      'kubeproxydaemonset.yaml':
        'spec: {template: {spec: {hostNetwork: false, containers: [{name: kube-proxy, resources: {requests: {cpu: 100m}}}]}}}',
    },
  },
  'a JSON patch and a merge patch': {
    patches: {
      'corednsdeployment+json.json': '[{"op": "remove", "path": "/spec/template/spec/affinity"}]',
      'kubeproxydaemonset+merge.yaml': 'metadata: {labels: {k8s-app: null, own: "yes"}}',
    },
  },
  'broken patches for others': { patches: { 'kube-apiserver.yaml': 'spec: 5', 'etcd+json.yaml': '5' } },
};

function configurationOf({ cluster, advertiseAddress = '192.0.2.10', kubeProxy }: Row, patches?: string): string {
  const apiVersion = 'kubeadm.k8s.io/v1beta4';
  return [
    {
      ...{ apiVersion, kind: 'InitConfiguration', localAPIEndpoint: { advertiseAddress } },
      nodeRegistration: { name: 'node-a', criSocket: 'unix:///var/run/containerd/containerd.sock' },
      ...(patches === undefined ? {} : { patches: { directory: patches } }),
    },
    { apiVersion, kind: 'ClusterConfiguration', kubernetesVersion: 'v1.37.2', ...cluster },
    ...(kubeProxy === undefined
      ? []
      : [{ apiVersion: 'kubeproxy.config.k8s.io/v1alpha1', kind: 'KubeProxyConfiguration', ...kubeProxy }]),
  ]
    .map((document) => JSON.stringify(document))
    .join('\n---\n');
}

/** What kubeadm prints; between the separator and what it has patched it leaves out the line end. */
function theirs(name: string, row: Row, addon: string): readonly NamedObject[] {
  const place = join(folder, name.replaceAll(' ', '-'));
  mkdirSync(join(place, 'patches'), { recursive: true });
  for (const [file, text] of Object.entries(row.patches ?? {})) writeFileSync(join(place, 'patches', file), text);
  writeFileSync(join(place, 'config.yaml'), configurationOf(row, row.patches && join(place, 'patches')));
  const words = ['init', 'phase', 'addon', addon, '--print-manifest', '--config', join(place, 'config.yaml')];
  const env = { PATH: process.env.PATH ?? '', ...row.environment };
  const printed = execFileSync(kubeadm, words, { env, encoding: 'utf8', stdio: 'pipe' });
  const text = printed.slice(printed.indexOf('---')).replaceAll(/^---(?=\S)/gm, '---\n');
  return parseDocuments(text).map(({ value }) => value as NamedObject);
}

async function ours(row: Row, addon: string): Promise<readonly NamedObject[]> {
  const files = Object.fromEntries(Object.entries(row.patches ?? {}).map(([file, text]) => [`/patches/${file}`, text]));
  const proxies = Object.entries(row.environment ?? {}).map(([name, value]) => ({ name, value }));
  const ports = memoryPorts({ files, facts: { proxyEnvironment: () => proxies } });
  const configText = configurationOf(row, row.patches && '/patches');
  const { context } = await resolveInit({ configText, ports, command: `init phase addon ${addon}` });
  return (await phaseManifests(context, `addon/${addon}`, ports.host.files)).map(({ text }) => {
    return parseYaml(text) as NamedObject;
  });
}

/** What a Go program writes although it is not set, or leaves out although it is. */
function asDecoded(object: NamedObject): unknown {
  const { status, ...rest } = object as NamedObject & { readonly status?: unknown };
  return JSON.parse(JSON.stringify(rest), (key, value) => {
    if (['readOnly', 'hostNetwork'].includes(key) && value === false) return undefined;
    if (typeof value !== 'object' || value === null) return value;
    return Object.keys(value).length === 0 ? undefined : value;
  });
}

describe.each(Object.entries(rows))('%s: what the real kubeadm and Groundplane print', (name, row) => {
  it.each(['coredns', 'kube-proxy'])('of %s', async (addon) => {
    const wanted = theirs(name, row, addon);
    const found = await ours(row, addon);
    expect(wanted).toHaveLength(6);
    // The same documents in the same order.
    expect(found.map(asDecoded)).toEqual(wanted.map(asDecoded));
  });
});

it('both print what is not of a template to the byte', async () => {
  const place = join(folder, 'bytes.yaml');
  writeFileSync(place, configurationOf({}));
  const words = ['init', 'phase', 'addon', 'kube-proxy', '--print-manifest', '--config', place];
  const printed = execFileSync(kubeadm, words, { env: { PATH: process.env.PATH ?? '' }, encoding: 'utf8' });
  const ports = memoryPorts();
  const { context } = await resolveInit({ configText: readFileSync(place, 'utf8'), ports });
  const manifests = await phaseManifests(context, 'addon/kube-proxy', ports.host.files);
  const texts = manifests.slice(0, 4).map(({ text }) => `---\n${text}`);
  expect(printed).toContain(texts.join(''));
});
