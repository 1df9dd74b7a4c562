import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { isGroundplaneError } from '@groundplane/errors';
import { parseDocuments } from '@groundplane/manifest';
import { describe, expect, it } from 'vitest';
import type { AnyField } from '../src/field-schema.ts';
import { discoveryFilesOf, migrateConfiguration, type PrintedKind, printedDefaults } from '../src/index.ts';
import { joinConfiguration } from '../src/join-configuration-schema.ts';
import { resetConfiguration } from '../src/reset-configuration-schema.ts';
import { upgradeConfiguration } from '../src/upgrade-configuration-schema.ts';
import { join, joined, kubeadmDocument, reset, upgrade } from './document-makers.ts';
import { documentTable } from './document-table.ts';
import { fieldPaths, nested, values } from './field-matrix.ts';
import { clusterDocument, initDocument, sampleHost, sampleToken } from './sample-host.ts';
import { runKubeadm, withFile } from './verdicts.ts';

/** Our text, or undefined if the file is refused. */
function ours(text: string): string | undefined {
  const missingFiles = discoveryFilesOf(text).filter((path) => !existsSync(path));
  try {
    return migrateConfiguration(text, { host: sampleHost, missingFiles, randomToken: () => sampleToken }).text;
  } catch (thrown) {
    if (!isGroundplaneError(thrown)) throw thrown;
    return undefined;
  }
}

function theirs(text: string): string | undefined {
  const { status, stdout } = withFile(text, (path) => runKubeadm(['config', 'migrate', '--old-config', path]));
  return status === 0 ? stdout : undefined;
}

/** Puts the values of either host, and tokens made at random, out of sight. */
function masked(text: string | undefined): string | undefined {
  return text
    ?.replaceAll(/^- (.*\n(?: {2}.*\n)*? {2})?token: .*$/gm, '- $1token: masked')
    .replaceAll(/^( {2}name: ).*$/gm, (line, start) =>
      line === `${start}${hostname().toLowerCase()}` || line === `${start}${sampleHost.hostName}`
        ? `${start}host`
        : line,
    )
    .replaceAll(/^( +advertiseAddress: )(?!.*(?:169|224|2001)).*$/gm, '$1masked');
}

describe('config migrate', () => {
  it.each(documentTable)('%s', (name, text) => {
    // The one kind that we read and kubeadm 1.37 does not.
    if (text.includes('kubeadm.k8s.io/v1beta3\nkind: ') && !name.includes('never was')) return;
    expect(masked(ours(text))).toBe(masked(theirs(text)));
  });

  it('writes its own output the same way', () => {
    const text = ours(joined(upgrade(), reset(), join('controlPlane: {}'), initDocument(), clusterDocument())) ?? '';
    expect(parseDocuments(text).map(({ kind }) => kind)).toEqual([
      'InitConfiguration',
      'ClusterConfiguration',
      'JoinConfiguration',
      'ResetConfiguration',
      'UpgradeConfiguration',
    ]);
    expect(ours(text)).toBe(text);
    expect(theirs(text)).toBe(text);
  });
});

const old = (kind: string, ...lines: readonly string[]) =>
  kubeadmDocument(kind, ...lines).replace('v1beta4', 'v1beta3');
const pinned =
  'bootstrapToken: {token: abcdef.0123456789abcdef, apiServerEndpoint: "a:1", unsafeSkipCAVerification: true}';

describe('config migrate of v1beta3', () => {
  /** A file in the old version, and what someone who knows both would write in the new one. */
  it.each([
    [
      'cluster',
      old(
        'ClusterConfiguration',
        'kubernetesVersion: v1.37.2',
        'apiServer: {extraArgs: {v: "4", audit-log-path: "-"}, certSANs: [A.example.com], timeoutForControlPlane: 90s}',
        'controllerManager: {extraArgs: {bind-address: 0.0.0.0}, extraVolumes: [{name: a, hostPath: /a, mountPath: /b}]}',
        'scheduler: {extraArgs: {}}',
        'etcd: {local: {dataDir: /srv/etcd, extraArgs: {b: "1", a: ""}}}',
        'networking: {podSubnet: 10.244.0.0/16}',
      ),
      joined(
        kubeadmDocument('InitConfiguration', 'timeouts: {controlPlaneComponentHealthCheck: 90s}'),
        kubeadmDocument(
          'ClusterConfiguration',
          'kubernetesVersion: v1.37.2',
          'apiServer: {extraArgs: [{name: audit-log-path, value: "-"}, {name: v, value: "4"}], certSANs: [A.example.com]}',
          'controllerManager: {extraArgs: [{name: bind-address, value: 0.0.0.0}], extraVolumes: [{name: a, hostPath: /a, mountPath: /b}]}',
          'etcd: {local: {dataDir: /srv/etcd, extraArgs: [{name: a, value: ""}, {name: b, value: "1"}]}}',
          'networking: {podSubnet: 10.244.0.0/16}',
        ),
      ),
    ],
    [
      'init',
      joined(
        old(
          'InitConfiguration',
          'nodeRegistration: {name: node-b, taints: [], kubeletExtraArgs: {node-ip: 192.0.2.1}, imagePullPolicy: Never}',
          'skipPhases: [addon]',
        ),
        old('ClusterConfiguration', 'kubernetesVersion: v1.37.2', 'etcd: {external: {endpoints: ["https://a:1"]}}'),
      ),
      joined(
        kubeadmDocument(
          'InitConfiguration',
          'nodeRegistration: {name: node-b, taints: [], kubeletExtraArgs: [{name: node-ip, value: 192.0.2.1}], imagePullPolicy: Never}',
          'skipPhases: [addon]',
        ),
        kubeadmDocument(
          'ClusterConfiguration',
          'kubernetesVersion: v1.37.2',
          'etcd: {external: {endpoints: ["https://a:1"]}}',
        ),
      ),
    ],
    [
      'join',
      old(
        'JoinConfiguration',
        `discovery: {${pinned}, timeout: 30s}`,
        'controlPlane: {localAPIEndpoint: {bindPort: 7443}}',
      ),
      kubeadmDocument(
        'JoinConfiguration',
        `discovery: {${pinned}}`,
        'timeouts: {discovery: 30s}',
        'controlPlane: {localAPIEndpoint: {bindPort: 7443}}',
      ),
    ],
  ])('%s', (_name, before, after) => {
    expect(theirs(before)).toBeUndefined();
    expect(theirs(after)).toBeDefined();
    expect(masked(ours(before))).toBe(masked(theirs(after)));
  });
});

const fields = [
  ...fieldPaths(joinConfiguration as unknown as AnyField, '').map((path) => [join, path] as const),
  ...fieldPaths(resetConfiguration as unknown as AnyField, '').map((path) => [reset, path] as const),
  ...fieldPaths(upgradeConfiguration as unknown as AnyField, '').map((path) => [upgrade, path] as const),
];
/** All values for each field, and not some of them. */
const full = process.env.GROUNDPLANE_TEST_FULL === '1';

describe('config migrate, field by field', () => {
  it.each(fields.map(([document, path]) => [`${document.name}.${path}`, document, path] as const))(
    '%s',
    (_name, document, path) => {
      const chosen = values.filter((_value, index) => full || (index + path.length) % 10 === 0);
      const differences = chosen.flatMap((value) => {
        const text = document(nested(path, value));
        const [mine, wanted] = [masked(ours(text)), masked(theirs(text))];
        return mine === wanted ? [] : [{ value, mine, wanted }];
      });
      expect(differences).toEqual([]);
    },
  );
});

describe('config print', () => {
  it.each<[PrintedKind, readonly string[]]>([
    ['init', []],
    ['init', ['KubeletConfiguration']],
    ['init', ['KubeProxyConfiguration']],
    ['init', ['KubeletConfiguration', 'KubeProxyConfiguration', 'KubeletConfiguration']],
    ['join', []],
    ['reset', []],
    ['upgrade', []],
  ])('%s-defaults %j', (kind, componentConfigs) => {
    const flags = componentConfigs.length === 0 ? [] : ['--component-configs', componentConfigs.join(',')];
    const { stdout, status } = runKubeadm(['config', 'print', `${kind}-defaults`, ...flags]);
    expect(status).toBe(0);
    expect(printedDefaults(kind, { componentConfigs, hostName: hostname() })).toBe(stdout);
  });
});
