import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDocuments, stringifyYaml } from '@groundplane/manifest';
import { afterAll, describe, expect, it } from 'vitest';
import { clusterConfiguration } from '../src/cluster-configuration-schema.ts';
import { decodeDocument } from '../src/decode-document.ts';
import type { AnyField } from '../src/field-schema.ts';
import {
  clusterConfigurationDocument,
  flagsOfCommand,
  type InitConfiguration,
  initCommands,
  initConfigurationDocument,
  joinCommands,
  kubeletConfiguration,
  kubeProxyConfiguration,
  resetCommands,
} from '../src/index.ts';
import { initConfiguration } from '../src/init-configuration-schema.ts';
import { kubeProxyConfigurationSchema } from '../src/kube-proxy-configuration-schema.ts';
import { kubeletConfigurationSchema } from '../src/kubelet-configuration-schema.ts';
import { fieldPaths, nested, values } from './field-matrix.ts';
import { clusterDocument, initDocument, resolveSample } from './sample-host.ts';

const kubeadm = process.env.GROUNDPLANE_KUBEADM ?? '';
/** Run the whole matrix of fields and values, and not each of them once in a while. */
const full = process.env.GROUNDPLANE_TEST_FULL === '1';
const folder = mkdtempSync(join(tmpdir(), 'groundplane-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(kubeadm, args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  return { status, stdout, stderr };
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('printed defaults', () => {
  it('of both documents', () => {
    const cluster = { ...decodeDocument(clusterConfiguration, {}).value, kubernetesVersion: '1.37.0' };
    const init = decodeDocument(initConfiguration, {
      bootstrapTokens: [{ token: 'abcdef.0123456789abcdef' }],
      localAPIEndpoint: { advertiseAddress: '1.2.3.4' },
      nodeRegistration: { name: 'node', criSocket: 'unix:///var/run/containerd/containerd.sock' },
    }).value as InitConfiguration;
    const etcd = { local: resolveSample(clusterDocument()).cluster.etcd.local };
    expect(
      `${initConfigurationDocument(init)}---\n${clusterConfigurationDocument({ ...cluster, ...(etcd.local && { etcd: { local: etcd.local } }) })}`,
    ).toBe(run(['config', 'print', 'init-defaults']).stdout);
  });

  it('of the kubelet', () => {
    const { stdout } = run(['config', 'print', 'init-defaults', '--component-configs', 'KubeletConfiguration']);
    const { configuration } = kubeletConfiguration(resolveSample(clusterDocument()));
    expect(stringifyYaml(configuration)).toBe(stdout.split('---\n')[2]);
  });
});

it('prints the defaults of kube-proxy', () => {
  const { stdout } = run(['config', 'print', 'init-defaults', '--component-configs', 'KubeProxyConfiguration']);
  expect(stringifyYaml(kubeProxyConfiguration(resolveSample(clusterDocument())).configuration)).toBe(
    stdout.split('---\n')[2],
  );
});

it('writes every field as `config migrate` does', () => {
  const input = new URL('fixtures/full-input.yaml', import.meta.url);
  const { init, cluster } = resolveSample(readFileSync(input, 'utf8'));
  expect(`${initConfigurationDocument(init)}---\n${clusterConfigurationDocument(cluster)}`).toBe(
    run(['config', 'migrate', '--old-config', input.pathname]).stdout,
  );
});

describe('flags', () => {
  /** Name, shorthand, type and default of each flag that a help text lists. */
  function flagsInHelp(help: string): readonly string[] {
    const own = /\nFlags:\n([\s\S]*?)(?:\n\n|$)/.exec(help)?.[1] ?? '';
    return own.split('\n').flatMap((line) => {
      const [, shorthand, name, type = 'bool', text = ''] =
        /^\s+(?:-(\w), )?--([\w-]+)(?: (\S+))?\s{2,}(.*)$/.exec(line) ?? [];
      if (name === undefined || name === 'help') return [];
      const shown = /\(default (.*)\)$/.exec(text)?.[1]?.replaceAll('"', '');
      return [`${shorthand ?? ''} ${name} ${type} ${shown ?? ''}`];
    });
  }
  const typeNames = { string: 'string', bool: 'bool', int: 'int32', duration: 'duration', stringSlice: 'strings' };

  /** Our own additions: command → flags. */
  const added: Readonly<Record<string, readonly string[]>> = {
    'init phase wait-control-plane': ['config'],
    'init phase show-join-command': ['certificate-key', 'config', 'skip-certificate-key-print', 'skip-token-print'],
  };

  /** Commands that kubeadm has not. */
  const ownCommands = new Set(['init phase upload-config groundplane']);
  const commands = [...initCommands, ...joinCommands, ...resetCommands].map((row) => row.command);

  it.each(commands.filter((command) => !ownCommands.has(command)))('of %s', (command) => {
    const ours = flagsOfCommand(command)
      .filter((flag) => flag.deprecated === undefined && !added[command]?.includes(flag.name))
      .map((flag) => `${flag.shorthand ?? ''} ${flag.name} ${typeNames[flag.type]} ${flag.default ?? ''}`);
    expect(ours).toEqual(flagsInHelp(run([...command.split(' '), '--help']).stdout));
  });
});

/** Depend on the host, or on a token that is made at random. */
const hostDependent = new Set(['localAPIEndpoint.advertiseAddress', 'localAPIEndpoint', 'kubernetesVersion']);

const matrix = [
  ...fieldPaths(initConfiguration as unknown as AnyField, '').map((path) => ['InitConfiguration', path] as const),
  ...fieldPaths(clusterConfiguration as unknown as AnyField, '').map((path) => ['ClusterConfiguration', path] as const),
].filter(([, path]) => !hostDependent.has(path));

const stable = (text: string) =>
  text
    .replaceAll(/^ {2}token: .*$/gm, '  token: made-at-random')
    .replaceAll(/^- token: .*$/gm, '- token: made-at-random')
    .replace(/^ {2}name: .*$/m, '  name: host')
    .replace(/^ {2}advertiseAddress: .*$/m, '  advertiseAddress: host');

/** The lines that only one side has. */
function difference(value: string, mine = 'refused', wanted = 'refused') {
  const lines = (text: string, other: string) => text.split('\n').filter((line) => !other.split('\n').includes(line));
  return { value, mine: lines(mine, wanted), wanted: lines(wanted, mine) };
}

function ours(text: string): string | undefined {
  try {
    const { init, cluster, warnings } = resolveSample(text);
    if (warnings.some((finding) => finding.code === 'CONFIG_FIELD_UNKNOWN')) return undefined;
    return `${initConfigurationDocument(init)}---\n${clusterConfigurationDocument(cluster)}`;
  } catch {
    return undefined;
  }
}

describe.each(matrix)('%s.%s', (kind, path) => {
  it('is read, refused and written as kubeadm does', () => {
    const chosen = values.filter((_value, index) => full || (index + path.length) % 12 === 0);
    const differences = chosen.flatMap((value) => {
      const text = [
        'apiVersion: kubeadm.k8s.io/v1beta4',
        `kind: ${kind}`,
        nested(path, value),
        ...(kind === 'ClusterConfiguration'
          ? ['kubernetesVersion: v1.37.2']
          : ['---', 'apiVersion: kubeadm.k8s.io/v1beta4', 'kind: ClusterConfiguration', 'kubernetesVersion: v1.37.2']),
        '',
      ].join('\n');
      const theirs = run(['config', 'migrate', '--old-config', file('matrix.yaml', text)]);
      const mine = ours(text);
      const wanted = theirs.status === 0 ? stable(theirs.stdout) : undefined;
      return (mine === undefined ? undefined : stable(mine)) === wanted
        ? []
        : [difference(value, mine, wanted ?? theirs.stderr)];
    });
    expect(differences).toEqual([]);
  });
});

describe.each(fieldPaths(kubeletConfigurationSchema as unknown as AnyField, '').map((path) => [path]))(
  'KubeletConfiguration.%s',
  (path) => {
    it('is read, refused and written as kubeadm does', () => {
      const chosen = values.filter((_value, index) => full || (index + path.length) % 16 === 0);
      const differences = chosen.flatMap((value) => {
        const text = `${clusterDocument()}---\napiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n${nested(path, value)}\n`;
        const theirs = run(['init', 'phase', 'kubelet-start', '--dry-run', '--config', file('kubelet.yaml', text)], {
          KUBEADM_INIT_DRYRUN_DIR: folder,
        });
        const wanted = theirs.status === 0 ? readFileSync(join(folder, 'config.yaml'), 'utf8') : undefined;
        let mine: string | undefined;
        try {
          const { configuration } = kubeletConfiguration(resolveSample(text));
          mine = stringifyYaml({
            ...configuration,
            containerRuntimeEndpoint: 'unix:///var/run/containerd/containerd.sock',
          });
        } catch {
          mine = undefined;
        }
        return mine === wanted ? [] : [difference(value, mine, wanted ?? theirs.stderr)];
      });
      expect(differences).toEqual([]);
    });
  },
);

describe.each(fieldPaths(kubeProxyConfigurationSchema as unknown as AnyField, '').map((path) => [path]))(
  'KubeProxyConfiguration.%s',
  (path) => {
    it('is read, refused and written as kubeadm does', () => {
      const chosen = values.filter((_value, index) => full || (index + path.length) % 12 === 0);
      const differences = chosen.flatMap((value) => {
        const text = `${clusterDocument()}---\napiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n${nested(path, value)}\n`;
        const theirs = run([
          ...['init', 'phase', 'addon', 'kube-proxy', '--print-manifest'],
          ...[
            '--config',
            file('kube-proxy.yaml', `${initDocument('localAPIEndpoint: {advertiseAddress: 192.0.2.10}')}---\n${text}`),
          ],
        ]);
        const objects =
          theirs.status === 0 ? parseDocuments(theirs.stdout.slice(theirs.stdout.indexOf('---\n') + 4)) : [];
        const configMap = objects.find(({ kind }) => kind === 'ConfigMap')?.value as
          | { data: Record<string, string> }
          | undefined;
        // kubeadm's template drops the last line end.
        const wanted = configMap === undefined ? undefined : `${configMap.data['config.conf']}\n`;
        let mine: string | undefined;
        try {
          mine = stringifyYaml(kubeProxyConfiguration(resolveSample(text)).configuration);
        } catch {
          mine = undefined;
        }
        return mine === wanted ? [] : [difference(value, mine, wanted ?? theirs.stderr)];
      });
      expect(differences).toEqual([]);
    });
  },
);

it('has its own documents accepted by `config validate`', () => {
  const input = readFileSync(new URL('fixtures/full-input.yaml', import.meta.url), 'utf8');
  const { init, cluster } = resolveSample(input);
  const text = `${initConfigurationDocument(init)}---\n${clusterConfigurationDocument(cluster)}`;
  expect(parseDocuments(text)).toHaveLength(2);
  expect(run(['config', 'validate', '--config', file('own.yaml', text)])).toMatchObject({ status: 0, stdout: 'ok\n' });
});
