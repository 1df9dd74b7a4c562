import { GroundplaneError } from '@groundplane/errors';
import { parseYaml } from '@groundplane/manifest';
import { describe, expect, test } from 'vitest';
import {
  groundplaneConfigurationDocument,
  migrateConfiguration,
  printedDefaults,
  readGroundplaneConfiguration,
  readInitConfiguration,
  readJoinConfiguration,
  readResetConfiguration,
  readStoredConfiguration,
  validateConfigurationFile,
} from './index.ts';

const own = 'apiVersion: groundplane.dev/v1alpha1\nkind: GroundplaneConfiguration\n';
const kubeadm = (kind: string, rest = '') => `apiVersion: kubeadm.k8s.io/v1beta4\nkind: ${kind}\n${rest}`;
const host = {
  hostName: 'node-a',
  addresses: { ipv4: ['192.0.2.10'], ipv6: [], loopback: [] },
  criSockets: [],
};
const discovery =
  'discovery:\n  bootstrapToken: {token: abcdef.0123456789abcdef, apiServerEndpoint: "192.0.2.1:6443", unsafeSkipCAVerification: true}\n';
const service = { journal: { disabled: false }, coreDNS: { apiServer: 'Service' } };

describe('a GroundplaneConfiguration', () => {
  test('has defaults for all that it leaves out', () => {
    const defaults = { journal: { disabled: false }, coreDNS: { apiServer: 'Address' } };
    expect(readGroundplaneConfiguration(own)).toEqual(defaults);
    expect(readGroundplaneConfiguration(`${own}journal:\ncoreDNS: {apiServer: ""}\n`)).toEqual(defaults);
  });

  test.each([
    ['a command', 'signer: {command: [/usr/local/bin/sign, --ca, two words], timeout: 1m30s}\n'],
    ['a plugin', 'signer: {plugin: step, parameters: {authorities: [{url: "https://ca", n: 1, more: null}]}}\n'],
  ])('names a signer: %s', (_, text) => {
    const read = readGroundplaneConfiguration(own + text);
    expect({ signer: read?.signer }).toEqual(parseYaml(text));
    expect(parseYaml(groundplaneConfigurationDocument(read as never))).toMatchObject(parseYaml(text) as object);
  });

  test('is absent where there is none', () => {
    expect(readGroundplaneConfiguration('')).toBeUndefined();
    expect(readGroundplaneConfiguration(kubeadm('ClusterConfiguration'))).toBeUndefined();
  });

  test('is written as it is read', () => {
    const text = `${own}journal: {path: /var/log/groundplane.jsonl, disabled: true}\ncoreDNS: {apiServer: Service}\n`;
    const read = readGroundplaneConfiguration(text);
    expect(parseYaml(groundplaneConfigurationDocument(read as never))).toEqual(parseYaml(text));
  });

  test.each([
    ['an unknown field', 'journals: {}\n', ['journals']],
    ['an unknown field below', 'coreDNS: {apiserver: Service}\n', ['coreDNS.apiserver']],
    ['a field that is given twice', 'journal: {}\njournal: {}\n', ['journal']],
    ['a word for a truth value', 'journal: {disabled: "yes"}\n', ['journal.disabled']],
    ['another way to the API server', 'coreDNS: {apiServer: address}\n', ['coreDNS.apiServer']],
    ['a relative path', 'journal: {path: journal.jsonl}\n', ['journal.path']],
    ['an empty path', 'journal: {path: ""}\n', ['journal.path']],
    ['the path of a folder', 'journal: {path: /var/log/}\n', ['journal.path']],
    ['a path with dots', 'journal: {path: /var/lib/x/../kubelet/journal}\n', ['journal.path']],
    ['a path among static pods', 'journal: {path: /etc/kubernetes/manifests/journal.yaml}\n', ['journal.path']],
    ['a path that reset empties', 'journal: {path: /var/lib/etcd/journal}\n', ['journal.path']],
    ['a key', 'journal: {path: /etc/kubernetes/pki/ca.key}\n', ['journal.path']],
    ['a kubeconfig', 'journal: {path: /etc/kubernetes/admin.conf}\n', ['journal.path']],
    ['another path in the folder of Kubernetes', 'journal: {path: /etc/kubernetes/x}\n', ['journal.path']],
    ['that folder', 'journal: {path: /etc/kubernetes}\n', ['journal.path']],
    ['a folder that others are in', 'journal: {path: /var/lib}\n', ['journal.path']],
    ['the lock of commands', 'journal: {path: /run/groundplane/lock}\n', ['journal.path']],
    ['a file of the kernel', 'journal: {path: /proc/self/mem}\n', ['journal.path']],
    ['a setting of the kernel', 'journal: {path: /sys/kernel/profiling}\n', ['journal.path']],
    ['a device', 'journal: {path: /dev/sda}\n', ['journal.path']],
    ['a signer that is none', 'signer: {}\n', ['signer']],
    ['two signers', 'signer: {command: [/x], plugin: step}\n', ['signer']],
    ['a signer of another kind', 'signer: {url: x}\n', ['signer.url', 'signer']],
    ['a command that is a text', 'signer: {command: /x}\n', ['signer.command']],
    ['a command without words', 'signer: {command: []}\n', ['signer.command']],
    ['a command without a program', 'signer: {command: ["", x]}\n', ['signer.command']],
    ['a command that is somewhere', 'signer: {command: [./sign]}\n', ['signer.command']],
    ['a command with a zero byte', 'signer: {command: [sign, "a\\0b"]}\n', ['signer.command']],
    ['a number among its words', 'signer: {command: [sign, 1]}\n', ['signer.command[1]']],
    ['parameters of a command', 'signer: {command: [sign], parameters: {a: b}}\n', ['signer.parameters']],
    ['a plugin without a name', 'signer: {plugin: ""}\n', ['signer.plugin']],
    ['a time limit of a plugin', 'signer: {plugin: step, timeout: 1m}\n', ['signer.timeout']],
    ['no time', 'signer: {command: [sign], timeout: 0s}\n', ['signer.timeout']],
    ['less than no time', 'signer: {command: [sign], timeout: -1m}\n', ['signer.timeout']],
    ['a time without a unit', 'signer: {command: [sign], timeout: "5"}\n', ['signer.timeout']],
    ['two mistakes', 'journal: {path: x}\ncoreDNS: {apiServer: x}\n', ['journal.path', 'coreDNS.apiServer']],
  ])('is refused with %s, by every command that reads it', (_, lines, artifacts) => {
    const artifactsOf = (read: () => unknown) => {
      try {
        read();
        return 'accepted';
      } catch (thrown) {
        return thrown instanceof GroundplaneError ? thrown.findings.map(({ artifact }) => artifact) : thrown;
      }
    };
    const beside = (kind: string, rest = '') => `${kubeadm(kind, rest)}---\n${own}${lines}`;
    expect(artifactsOf(() => readGroundplaneConfiguration(own + lines))).toEqual(artifacts);
    expect(artifactsOf(() => readInitConfiguration(beside('ClusterConfiguration')))).toEqual(artifacts);
    expect(artifactsOf(() => readJoinConfiguration(beside('JoinConfiguration', discovery)))).toEqual(artifacts);
    expect(artifactsOf(() => readResetConfiguration(beside('ResetConfiguration')))).toEqual(artifacts);
    const { valid, findings } = validateConfigurationFile(own + lines, { host });
    expect([valid, findings.map(({ artifact }) => artifact)]).toEqual([false, artifacts]);
  });

  test.each([
    ['another version', own.replace('v1alpha1', 'v1'), /groundplane\.dev\/v1$/],
    ['another kind', own.replace('GroundplaneConfiguration', 'NodeConfiguration'), /no such configuration kind/],
  ])('of %s is refused', (_, text, message) => {
    for (const read of [
      () => readGroundplaneConfiguration(text),
      () => readInitConfiguration(`${kubeadm('InitConfiguration')}---\n${text}`),
      () => readResetConfiguration(`${kubeadm('ResetConfiguration')}---\n${text}`),
    ])
      expect(read).toThrow(message);
    expect(validateConfigurationFile(text, { host }).findings).toMatchObject([{ code: 'CONFIG_KIND_UNKNOWN' }]);
  });
});

describe('the place of the journal', () => {
  const beside = (lines: string, path: string) =>
    `${kubeadm('ClusterConfiguration', `kubernetesVersion: v1.37.2\n${lines}`)}---\n${own}journal: {path: ${path}}\n`;
  const pki = 'certificatesDir: /opt//x/../pki/\n';
  const etcd = 'etcd: {local: {dataDir: /data/etcd}}\n';

  test.each([
    ['a key among configured certificates', pki, '/opt/pki/ca.key', ['journal.path']],
    ['the folder of configured certificates', pki, '/opt/pki', ['journal.path']],
    ['the folder that these are to be in', pki, '/opt', ['journal.path']],
    ['in the configured data of etcd', etcd, '/data/etcd/member/wal', ['journal.path']],
    ['a name that merely begins alike', pki + etcd, '/opt/pki.jsonl', []],
    ['elsewhere', pki + etcd, '/etc/kubernetes-journal/journal.jsonl', []],
  ])('%s', (_, lines, path, artifacts) => {
    const text = beside(lines, path);
    const { findings } = validateConfigurationFile(text, { host });
    expect(findings.map(({ artifact }) => artifact)).toEqual(artifacts);
    if (artifacts.length > 0) expect(() => readInitConfiguration(text)).toThrow(/journal\.path/);
    else expect(readInitConfiguration(text).groundplane?.journal.path).toBe(path);
  });
});

describe('a mistake', () => {
  const hintOf = (text: string) => {
    try {
      return readInitConfiguration(text);
    } catch (thrown) {
      return (thrown as GroundplaneError).hint;
    }
  };
  const cluster = kubeadm('ClusterConfiguration', 'kubernetesVersion: v1.37.2\n');
  const ours = `---\n${own}journal: {disable: true}\n`;
  const kubelet = '---\napiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nmaxPods: many\n';

  test.each([
    ['in our document', cluster + ours, /those of groundplane\.dev\/v1alpha1$/],
    ['in that of the kubelet', cluster + kubelet, /those of kubelet\.config\.k8s\.io\/v1beta1$/],
    ["in kubeadm's", kubeadm('ClusterConfiguration', 'apiServer: 1\n'), /those of kubeadm\.k8s\.io\/v1beta4$/],
    [
      'in each of them',
      kubeadm('ClusterConfiguration', 'apiServer: 1\n') + ours + kubelet,
      /those of kubeadm\.k8s\.io\/v1beta4, kubelet\.config\.k8s\.io\/v1beta1, groundplane\.dev\/v1alpha1$/,
    ],
  ])('%s is answered with the API version whose fields count', (_, text, hint) => {
    expect(hintOf(text)).toMatch(hint);
  });

  test.each([
    ['of join', kubeadm('JoinConfiguration', discovery), () => readJoinConfiguration],
    ['of reset', kubeadm('ResetConfiguration'), () => readResetConfiguration],
    ['alone', '', () => readGroundplaneConfiguration],
  ])('in our document is so %s, too', (_, text, reader) => {
    const read = () => reader()(text === '' ? ours.slice(4) : text + ours);
    const hint = expect.stringMatching(/those of groundplane\.dev\/v1alpha1$/);
    expect(read).toThrow(expect.objectContaining({ hint }));
  });

  test.each([
    ['that is relative', 'relative'],
    ['in a place that every node and the cluster take', '/var/lib/etcd/journal'],
    ['in another one', '/etc/kubernetes/pki/ca.key'],
    ['that such places are in', '/var/lib'],
    ['that all places are in', '/etc'],
  ])('%s is named once, however many documents are beside it', (_, path) => {
    const others = ['ClusterConfiguration', 'ResetConfiguration', 'UpgradeConfiguration'].map((kind) => kubeadm(kind));
    const join = kubeadm('JoinConfiguration', discovery);
    const text = [...others, join, `${own}journal: {path: ${path}}\n`].join('---\n');
    const { findings } = validateConfigurationFile(text, { host });
    expect(findings.filter(({ artifact }) => artifact === 'journal.path')).toHaveLength(1);
  });
});

describe('a file that holds it beside others', () => {
  const document = `${own}coreDNS: {apiServer: Service}\n`;

  test.each([
    ['init', () => readInitConfiguration(`${document}---\n${kubeadm('InitConfiguration')}`)],
    ['join', () => readJoinConfiguration(`${kubeadm('JoinConfiguration', discovery)}---\n${document}`)],
    ['reset', () => readResetConfiguration(`${kubeadm('ResetConfiguration')}---\n${document}`)],
  ])('gives it to %s, without a warning', (_, read) => {
    const { groundplane, warnings } = read();
    expect(groundplane).toEqual(service);
    expect(warnings.filter(({ code }) => code === 'CONFIG_DOCUMENT_IGNORED')).toEqual([]);
  });

  test('still needs a document of the command', () => {
    expect(() => readInitConfiguration(document)).toThrow(
      /no InitConfiguration or ClusterConfiguration kind was found/,
    );
    expect(() => readResetConfiguration(document)).toThrow(/no ResetConfiguration found/);
  });

  test('is valid, alone and with others', () => {
    for (const text of [document, `${kubeadm('ClusterConfiguration', 'kubernetesVersion: v1.37.2\n')}---\n${document}`])
      expect(validateConfigurationFile(text, { host })).toMatchObject({ valid: true });
  });

  test('is migrated with it, after the documents of kubeadm', () => {
    const text = `${document}---\n${kubeadm('ResetConfiguration')}`;
    const migrated = migrateConfiguration(text, { host, randomToken: () => 'abcdef.0123456789abcdef' });
    const documents = migrated.text.split('---\n').map((one) => parseYaml(one) as { kind: string });
    expect(documents.map(({ kind }) => kind)).toEqual(['ResetConfiguration', 'GroundplaneConfiguration']);
    expect(documents[1]).toMatchObject(service);
    expect(migrated.remarks).toEqual([]);
  });
});

test('the defaults are printed with the place of the journal, and are what an empty document means', () => {
  const text = printedDefaults('groundplane', { hostName: 'node-a' });
  expect(parseYaml(text)).toEqual({
    apiVersion: 'groundplane.dev/v1alpha1',
    kind: 'GroundplaneConfiguration',
    journal: { path: '/var/lib/groundplane/journal.jsonl', disabled: false },
    coreDNS: { apiServer: 'Address' },
  });
  expect(validateConfigurationFile(text, { host })).toEqual({ valid: true, findings: [] });
});

test('of a document that a cluster keeps, fields of a newer release are remarked on and do no harm', () => {
  const texts = {
    cluster: kubeadm('ClusterConfiguration', 'kubernetesVersion: v1.37.2\n'),
    kubelet: 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n',
  };
  expect(readStoredConfiguration(texts).groundplane).toBeUndefined();
  const stored = readStoredConfiguration({ ...texts, groundplane: `${own}later: 1\ncoreDNS: {apiServer: Service}\n` });
  expect(stored.groundplane).toEqual(service);
  expect(stored.warnings).toMatchObject([{ code: 'CONFIG_FIELD_UNKNOWN', message: expect.stringContaining('later') }]);
});
