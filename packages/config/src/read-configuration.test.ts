import { isGroundplaneError } from '@groundplane/errors';
import { describe, expect, it } from 'vitest';
import { clusterDocument, initDocument } from '../test/sample-host.ts';
import { readInitConfiguration } from './read-configuration.ts';

/** Runs a read that must fail and gives its code and the field paths it names. */
function failure(text: string | undefined, flags = {}): { code: string; paths: string[]; message: string } {
  try {
    readInitConfiguration(text, { flags });
  } catch (thrown) {
    if (!isGroundplaneError(thrown)) throw thrown;
    return { code: thrown.code, paths: thrown.findings.map((finding) => finding.artifact), message: thrown.message };
  }
  return expect.fail('it was accepted');
}

describe('documents', () => {
  it.each([
    ['an empty file', '', 'CONFIG_DOCUMENT_MISSING'],
    ['another kind alone', 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\n', 'CONFIG_DOCUMENT_MISSING'],
    ['no kind', 'apiVersion: kubeadm.k8s.io/v1beta4\n', 'CONFIG_UNREADABLE'],
    ['no apiVersion', 'kind: ClusterConfiguration\n', 'CONFIG_UNREADABLE'],
    ['a document of the core group', `${clusterDocument()}---\napiVersion: v1\nkind: ConfigMap\n`, 'CONFIG_UNREADABLE'],
    ['a list', `- a\n---\n${clusterDocument()}`, 'CONFIG_UNREADABLE'],
    ['a kind twice', `${clusterDocument()}---\n${clusterDocument()}`, 'CONFIG_UNREADABLE'],
    ['broken YAML', 'a: [', 'CONFIG_UNREADABLE'],
    ['v1beta3', 'apiVersion: kubeadm.k8s.io/v1beta3\nkind: ClusterConfiguration\n', 'CONFIG_API_VERSION_UNSUPPORTED'],
    [
      'the experimental v1',
      'apiVersion: kubeadm.k8s.io/v1\nkind: ClusterConfiguration\n',
      'CONFIG_API_VERSION_UNSUPPORTED',
    ],
    ['v1beta5', 'apiVersion: kubeadm.k8s.io/v1beta5\nkind: ClusterConfiguration\n', 'CONFIG_API_VERSION_UNSUPPORTED'],
    ['another group', 'apiVersion: example.com/v1\nkind: ClusterConfiguration\n', 'CONFIG_API_VERSION_UNSUPPORTED'],
    [
      'an unknown kubelet version',
      `${clusterDocument()}---\napiVersion: kubelet.config.k8s.io/v1\nkind: KubeletConfiguration\n`,
      'CONFIG_API_VERSION_UNSUPPORTED',
    ],
  ])('refuses %s', (_name, text, code) => {
    expect(failure(text).code).toBe(code);
  });

  it('tells which kubeadm reads an old version', () => {
    expect(failure('apiVersion: kubeadm.k8s.io/v1beta3\nkind: InitConfiguration\n').message).toContain('v1.36');
  });

  it('fills in a document that is missing', () => {
    expect(readInitConfiguration(initDocument()).cluster.networking.serviceSubnet).toBe('10.96.0.0/12');
    expect(readInitConfiguration(clusterDocument()).init.localAPIEndpoint.bindPort).toBe(6443);
  });

  it('finds kind and apiVersion in any letter case, with a warning', () => {
    const text = 'APIVersion: kubeadm.k8s.io/v1beta4\nKind: ClusterConfiguration\nclusterName: two\n';
    const { cluster, warnings } = readInitConfiguration(text);
    expect(cluster.clusterName).toBe('two');
    expect(warnings).toMatchObject([{ code: 'CONFIG_FIELD_UNKNOWN', message: expect.stringContaining('"Kind"') }]);
  });

  it('takes a bare number or word for the text of a kind', () => {
    for (const [kind, text] of [
      ['1', '1'],
      ['0x1F', '31'],
      ['1.5', '1.5'],
      ['yes', 'true'],
    ]) {
      const { warnings } = readInitConfiguration(
        `${clusterDocument()}---\napiVersion: example.com/v1\nkind: ${kind}\n`,
      );
      expect(warnings).toMatchObject([{ artifact: `example.com/v1, Kind=${text}` }]);
    }
  });

  it('names the field if kind or apiVersion is no text', () => {
    expect(failure('apiVersion: {a: b}\nkind: ClusterConfiguration\n').paths).toEqual(['apiVersion']);
    expect(failure('apiVersion: kubeadm.k8s.io/v1beta4\nkind: [ClusterConfiguration]\n').paths).toEqual(['kind']);
  });

  it('warns about documents that it does not use', () => {
    const { warnings } = readInitConfiguration(`${clusterDocument()}---\napiVersion: example.com/v1\nkind: Foo\n`);
    expect(warnings).toMatchObject([{ code: 'CONFIG_DOCUMENT_IGNORED', artifact: 'example.com/v1, Kind=Foo' }]);
  });

  it('warns about unknown fields in documents that are for other commands', () => {
    const join = 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\nbogus: 1\n';
    const artifact = 'kubeadm.k8s.io/v1beta4, Kind=JoinConfiguration';
    expect(readInitConfiguration(`${clusterDocument()}---\n${join}`).warnings).toMatchObject([
      { code: 'CONFIG_FIELD_UNKNOWN', artifact, message: expect.stringContaining('unknown field "bogus"') },
      { code: 'CONFIG_DOCUMENT_IGNORED', artifact },
    ]);
  });
});

describe('strict decoding', () => {
  it('warns once per document about unknown, wrong-case and repeated fields, and does not use them', () => {
    const { cluster, warnings } = readInitConfiguration(
      clusterDocument(
        'ClusterName: wrong',
        'clusterName: one',
        'clusterName: two',
        'networking:',
        '  podsubnet: 10.0.0.0/8',
      ),
    );
    expect(cluster.clusterName).toBe('two');
    expect(cluster.networking.podSubnet).toBe('');
    expect(warnings).toHaveLength(1);
    for (const text of ['"ClusterName"', '"clusterName"', '"networking.podsubnet"']) {
      expect(warnings[0]?.message).toContain(text);
    }
  });

  it.each([
    ['a number for a string', clusterDocument('clusterName: 5'), ['clusterName']],
    [
      'a word that is a boolean',
      clusterDocument('apiServer: {extraArgs: [{name: profiling, value: no}]}'),
      ['apiServer.extraArgs[0].value'],
    ],
    ['text for a boolean', initDocument('dryRun: "true"'), ['dryRun']],
    ['a number for a duration', initDocument('timeouts: {discovery: 300}'), ['timeouts.discovery']],
    ['a fraction for a port', initDocument('localAPIEndpoint: {bindPort: 6443.5}'), ['localAPIEndpoint.bindPort']],
    ['a list for a section', clusterDocument('networking: []'), ['networking']],
    [
      'a number for a token',
      initDocument('bootstrapTokens: [{token: 123456.1234567890123456}]'),
      ['bootstrapTokens[0].token'],
    ],
    [
      'several at once',
      `${clusterDocument('clusterName: 5', 'proxy: {disabled: 1}')}---\n${initDocument('skipPhases: x')}`,
      ['skipPhases', 'proxy.disabled', 'clusterName'],
    ],
    [
      'a wrong type in a component configuration',
      `${clusterDocument()}---\napiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nmaxPods: many\n`,
      ['maxPods'],
    ],
    [
      'a null for a duration that is no pointer',
      `${clusterDocument()}---\napiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nsyncFrequency: null\n`,
      ['syncFrequency'],
    ],
  ])('refuses %s', (_name, text, paths) => {
    const refused = failure(text);
    expect(refused.code).toBe('CONFIG_INVALID');
    expect(refused.paths.toSorted()).toEqual([...paths].toSorted());
  });

  it('shows no token and no certificate key', () => {
    const text = `${initDocument('certificateKey: "00ff"', 'bootstrapTokens: [{token: "sosecret.value"}]')}`;
    expect(failure(text).message).not.toMatch(/sosecret|00ff/);
    expect(failure(initDocument('certificateKey: "00ff"')).message).not.toContain('00ff');
  });

  it.each([
    ['bootstrapTokens: {a: [{token: "sosecret.value"}]}', 'bootstrapTokens'],
    ['bootstrapTokens: ["sosecret.value"]', 'bootstrapTokens[0]'],
    ['bootstrapTokens: "sosecret.value"', 'bootstrapTokens'],
    ['bootstrapTokens: [[{token: "sosecret.value"}]]', 'bootstrapTokens[0]'],
    ['certificateKey: {a: "sosecret"}', 'certificateKey'],
    ['nodeRegistration: [{certificateKey: "sosecret"}]', 'nodeRegistration'],
    ['skipPhases: {token: "sosecret"}', 'skipPhases'],
  ])('do not show secrets that stand in a wrong place: %s', (fields, path) => {
    const { message, paths } = failure(initDocument(fields));
    expect(message).not.toContain('sosecret');
    expect(paths).toContain(path);
  });

  it('takes null, absent and empty as unset', () => {
    const { init, cluster } = readInitConfiguration(
      `${clusterDocument('clusterName: ""', 'networking: null', 'etcd: {local: null}', 'imageRepository: null')}---\n${initDocument('nodeRegistration: {imagePullSerial: null, taints: []}', 'localAPIEndpoint: {bindPort: 0}')}`,
    );
    expect(cluster).toMatchObject({
      clusterName: 'kubernetes',
      networking: { dnsDomain: 'cluster.local' },
      etcd: { local: { dataDir: '/var/lib/etcd' } },
      imageRepository: 'registry.k8s.io',
    });
    expect(init).toMatchObject({
      nodeRegistration: { imagePullSerial: true, taints: [] },
      localAPIEndpoint: { bindPort: 6443 },
    });
  });
});

describe('flags', () => {
  it('build the documents where there is no file', () => {
    const { init, cluster, run } = readInitConfiguration(undefined, {
      flags: {
        'apiserver-bind-port': 7443,
        'apiserver-cert-extra-sans': ['B.example.com', '2001:db8::7'],
        'control-plane-endpoint': 'api.example.com',
        'feature-gates': 'RootlessControlPlane=T,',
        'node-name': ' Node-B ',
        'pod-network-cidr': '10.244.0.0/16',
        'token-ttl': '0',
        token: 'abcdef.0123456789abcdef',
        'upload-certs': true,
      },
    });
    expect(cluster).toMatchObject({
      apiServer: { certSANs: ['b.example.com', '2001:db8::7'] },
      controlPlaneEndpoint: 'api.example.com:7443',
      featureGates: { RootlessControlPlane: true },
      networking: { podSubnet: '10.244.0.0/16' },
    });
    expect(init).toMatchObject({
      nodeRegistration: { name: 'node-b' },
      bootstrapTokens: [
        {
          token: 'abcdef.0123456789abcdef',
          ttl: '0s',
          description: "The default bootstrap token generated by 'kubeadm init'.",
        },
      ],
    });
    expect(run.uploadCerts).toBe(true);
  });

  it.each([
    ['a bad token', { token: 'short.token' }, ['bootstrapTokens[0].token']],
    ['a gate without a value', { 'feature-gates': 'RootlessControlPlane' }, ['--feature-gates']],
    ['an unknown gate', { 'feature-gates': 'Nothing=true' }, ['--feature-gates']],
    ['an argument without equals sign', { 'scheduler-extra-args': ['v'] }, ['--scheduler-extra-args']],
    ['two equals signs', { 'scheduler-extra-args': ['v=1=2'] }, ['--scheduler-extra-args']],
    ['a bad range', { 'service-cidr': '10.0.0.0/30' }, ['networking.serviceSubnet']],
  ])('refuse %s', (_name, flags, paths) => {
    expect(failure(undefined, flags).paths).toEqual(paths);
  });

  it('are refused beside a file where kubeadm refuses them, with its message', () => {
    const refused = failure(clusterDocument(), { 'service-cidr': '10.0.0.0/16', 'node-name': 'x', patches: '/p' });
    expect(refused.code).toBe('CONFIG_MIXED_ARGUMENTS');
    expect(refused.message).toBe("can not mix '--config' with arguments [patches service-cidr]");
  });

  it('override or extend a file where that is allowed', () => {
    const text = `${clusterDocument()}---\n${initDocument('dryRun: true', 'skipPhases: [addon]', 'nodeRegistration: {name: from-file, ignorePreflightErrors: [Swap]}', 'patches: {directory: /p}')}`;
    const plain = readInitConfiguration(text);
    expect(plain.run).toMatchObject({
      dryRun: true,
      skipPhases: ['addon'],
      ignorePreflightErrors: ['swap'],
      patchesDirectory: '/p',
    });
    const flagged = readInitConfiguration(text, {
      flags: {
        'dry-run': false,
        'skip-phases': ['certs'],
        'node-name': 'FROM-FLAG',
        'ignore-preflight-errors': ['NumCPU'],
      },
    });
    expect(flagged.run).toMatchObject({
      dryRun: false,
      skipPhases: ['certs'],
      ignorePreflightErrors: ['numcpu', 'swap'],
    });
    expect(flagged.init.nodeRegistration.name).toBe('from-flag');
  });

  it("refuse 'all' together with other checks, also across flag and file", () => {
    const text = initDocument('nodeRegistration: {ignorePreflightErrors: [All]}');
    expect(readInitConfiguration(text).run.ignorePreflightErrors).toEqual(['all']);
    expect(failure(text, { 'ignore-preflight-errors': ['Swap'] }).paths).toEqual(['ignore-preflight-errors']);
  });
});
