import { createPrivateKey, X509Certificate } from 'node:crypto';
import { parseYaml } from '@groundplane/manifest';
import { beforeAll, describe, expect, test } from 'vitest';
import { openssl } from './openssl.ts';
import { type NodeFiles, type NodeResult, onPrivateNode, type Program, type Step } from './private-node.ts';

const phases = ['certs all', 'kubeconfig all', 'etcd local', 'control-plane all'];

function stepsOf(program: Program, ...more: readonly string[]): readonly Step[] {
  return phases.map((phase) => ({
    program,
    args: ['init', 'phase', ...phase.split(' '), '--config', '$CONFIG', ...more],
  }));
}

function configuration(name: string, cluster: object, address = '192.0.2.10'): string {
  const apiVersion = 'kubeadm.k8s.io/v1beta4';
  return [
    {
      apiVersion,
      kind: 'InitConfiguration',
      localAPIEndpoint: { advertiseAddress: address },
      nodeRegistration: { name, criSocket: 'unix:///var/run/containerd/containerd.sock' },
    },
    { apiVersion, kind: 'ClusterConfiguration', kubernetesVersion: 'v1.37.2', ...cluster },
  ]
    .map((document) => JSON.stringify(document))
    .join('\n---\n');
}

/** etcd's data must not end up on this host. */
const etcd = { local: { dataDir: '/etc/kubernetes/data' } };

const configurations = {
  usual: configuration('node-a', { etcd }),
  'much that is unusual': configuration('1e3', {
    encryptionAlgorithm: 'ECDSA-P256',
    clusterName: 'on',
    controlPlaneEndpoint: 'lb.example.com:8443',
    certificateValidityPeriod: '100h0m0s',
    caCertificateValidityPeriod: '2000h0m0s',
    imageRepository: 'registry.example.com/k8s',
    networking: { podSubnet: '10.244.0.0/16', serviceSubnet: '10.32.0.0/16', dnsDomain: 'example.internal' },
    apiServer: {
      certSANs: ['b.example.com', 'a.example.com', '203.0.113.7'],
      extraArgs: [
        { name: 'audit-log-path', value: '-' },
        { name: 'authorization-mode', value: 'RBAC,Node' },
      ],
      extraVolumes: [
        { name: 'extra', hostPath: '/srv/extra', mountPath: '/extra', readOnly: true, pathType: 'Directory' },
      ],
    },
    scheduler: { extraEnvs: [{ name: 'ANSWER', value: 'yes' }] },
    etcd: {
      local: {
        ...etcd.local,
        serverCertSANs: ['etcd.example.com'],
        peerCertSANs: ['203.0.113.8'],
        extraArgs: [{ name: 'listen-metrics-urls', value: 'http://0.0.0.0:2381' }],
      },
    },
  }),
  IPv6: configuration(
    'node-6',
    {
      encryptionAlgorithm: 'ECDSA-P256',
      etcd,
      networking: { serviceSubnet: 'fd00:10:96::/112', podSubnet: 'fd00:10:244::/56' },
    },
    '2001:db8::10',
  ),
  'external etcd': configuration('node-a', {
    encryptionAlgorithm: 'ECDSA-P384',
    etcd: {
      external: {
        endpoints: ['https://192.0.2.21:2379', 'https://192.0.2.22:2379'],
        caFile: '/srv/etcd/ca.crt',
        certFile: '/srv/etcd/client.crt',
        keyFile: '/srv/etcd/client.key',
      },
    },
  }),
};

const lastFiles = ({ files }: NodeResult): NodeFiles => files.at(-1) ?? {};

function modes(files: NodeFiles): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([path, { mode }]) => [path, mode]));
}

function textsOf(files: NodeFiles, pattern: RegExp): readonly (readonly [string, string])[] {
  return Object.entries(files).flatMap(([path, { text }]) =>
    pattern.test(path) && text !== undefined ? [[path, text]] : [],
  );
}

/** What openssl prints of a certificate, without what is random: key, serial number, key identifiers, signature, instants. */
function printed(certificate: string): string {
  const options = 'no_pubkey,no_sigdump,no_serial,no_validity';
  const text = openssl(
    ['x509', '-noout', '-text', '-certopt', options, '-nameopt', 'multiline,show_type'],
    certificate,
  );
  return text.replace(/(?:[0-9A-F]{2}:){19}[0-9A-F]{2}/g, '(key identifier)');
}

/** Days and seconds between its two instants. */
function lifetimeMs({ validFromDate, validToDate }: X509Certificate): number {
  return validToDate.getTime() - validFromDate.getTime();
}

/** A kubeconfig with its secrets taken out: the text that remains, and the three documents. */
function takenApart(kubeconfig: string) {
  const data: Record<string, string> = {};
  const text = kubeconfig.replace(/(\S+-data): (\S+)/g, (_, key: string, value: string) => {
    data[key] = Buffer.from(value, 'base64').toString();
    return `${key}: (data)`;
  });
  return {
    text,
    authority: data['certificate-authority-data'] ?? '',
    certificate: data['client-certificate-data'] ?? '',
    key: data['client-key-data'] ?? '',
  };
}

function keyKind(key: string): string {
  const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(key);
  const label = /-----BEGIN (.*)-----/.exec(key)?.[1];
  return `${label} ${asymmetricKeyType} ${asymmetricKeyDetails?.modulusLength ?? asymmetricKeyDetails?.namedCurve}`;
}

describe.each(Object.entries(configurations))('%s: what the real kubeadm and Groundplane make', (_, config) => {
  let theirs: NodeFiles;
  let ours: NodeFiles;
  beforeAll(() => {
    theirs = lastFiles(onPrivateNode(config, stepsOf('kubeadm')));
    ours = lastFiles(onPrivateNode(config, stepsOf('groundplane')));
  });

  test('the same files and folders, with the same modes', () => {
    expect(Object.keys(theirs).length).toBeGreaterThan(15);
    expect(modes(ours)).toEqual(modes(theirs));
  });

  test('the same certificates but for keys and instants, valid for the same time', () => {
    const certificates = textsOf(theirs, /\.crt$/);
    expect(certificates.length).toBeGreaterThanOrEqual(5);
    for (const [path, theirText] of certificates) {
      const ourText = ours[path]?.text ?? '';
      expect(printed(ourText), path).toBe(printed(theirText));
      expect(lifetimeMs(new X509Certificate(ourText)), path).toBe(lifetimeMs(new X509Certificate(theirText)));
    }
  });

  test('certificates that name the key of their own CA', () => {
    for (const files of [ours, theirs]) {
      const { subjectKey, authorityKey } = keyIdentifiers(files);
      expect(subjectKey['pki/ca.crt']).toMatch(/^[0-9A-F:]{59}$/);
      expect(authorityKey['pki/apiserver.crt']).toBe(subjectKey['pki/ca.crt']);
      expect(authorityKey['pki/front-proxy-client.crt']).toBe(subjectKey['pki/front-proxy-ca.crt']);
    }
  });

  test('keys of the same kind and PEM type', () => {
    const keys = textsOf(theirs, /\.key$/);
    for (const [path, theirText] of keys) expect(keyKind(ours[path]?.text ?? ''), path).toBe(keyKind(theirText));
    expect(ours['pki/sa.pub']?.text?.split('\n')[0]).toBe(theirs['pki/sa.pub']?.text?.split('\n')[0]);
  });

  test('the same kubeconfigs to the byte but for certificates and keys', () => {
    const kubeconfigs = textsOf(theirs, /\.conf$/);
    expect(kubeconfigs).toHaveLength(5);
    for (const [path, theirText] of kubeconfigs) {
      const [their, our] = [takenApart(theirText), takenApart(ours[path]?.text ?? '')];
      expect(our.text, path).toBe(their.text);
      expect(printed(our.certificate), path).toBe(printed(their.certificate));
      expect(keyKind(our.key), path).toBe(keyKind(their.key));
      expect(our.authority, path).toBe(ours['pki/ca.crt']?.text);
      // Each begins with its CA; how long it lasts depends on when, between the CA and now, the command ran.
      for (const { certificate, authority } of [their, our]) {
        expect(new X509Certificate(certificate).validFromDate, path).toEqual(
          new X509Certificate(authority).validFromDate,
        );
      }
      const difference =
        lifetimeMs(new X509Certificate(our.certificate)) - lifetimeMs(new X509Certificate(their.certificate));
      expect(Math.abs(difference), path).toBeLessThan(60_000);
    }
  });

  test('the same manifests to the byte', () => {
    const manifests = textsOf(theirs, /^manifests\/.*\.yaml$/);
    expect(manifests.length).toBeGreaterThanOrEqual(3);
    for (const [path, theirText] of manifests) {
      expect(ours[path]?.text, path).toBe(theirText);
      expect(parseYaml(theirText), path).toMatchObject({ kind: 'Pod' });
    }
  });
});

/** Path → key identifier, as openssl prints it. */
function keyIdentifiers(files: NodeFiles) {
  const read = (name: string) =>
    Object.fromEntries(
      textsOf(files, /\.crt$/).map(([path, text]) => [
        path,
        /(?:[0-9A-F]{2}:){19}[0-9A-F]{2}/.exec(openssl(['x509', '-noout', '-ext', name], text))?.[0],
      ]),
    );
  return { subjectKey: read('subjectKeyIdentifier'), authorityKey: read('authorityKeyIdentifier') };
}

/** Texts of the files that nobody may change: keys, certificates, kubeconfigs. */
function preserved(files: NodeFiles) {
  return Object.fromEntries(
    Object.entries(files)
      .filter(([path]) => /\.(?:crt|key|pub|conf)$/.test(path))
      .map(([path, { text, modified }]) => [path, { text, modified }]),
  );
}

describe.each(Object.entries(configurations))('%s: what one tool made and the other one finds', (_, config) => {
  test('kubeadm takes ours as existing, and changes nothing', () => {
    const { files, outputs } = onPrivateNode(config, [...stepsOf('groundplane'), ...stepsOf('kubeadm')]);
    const [before = {}, after = {}] = [files[phases.length - 1], files.at(-1)];
    expect(preserved(after)).toEqual(preserved(before));
    expect(modes(after)).toEqual(modes(before));
    const manifests = (all: NodeFiles) => textsOf(all, /\.yaml$/);
    expect(manifests(after)).toEqual(manifests(before));
    const said = outputs.slice(phases.length).join('\n');
    expect(said).not.toContain('[certs] Generating');
    expect(said.match(/\[certs\] Using existing/g)?.length).toBeGreaterThanOrEqual(5);
    expect(said.match(/\[kubeconfig\] Using existing/g)).toHaveLength(5);
  });

  test("we keep kubeadm's, every phase, and write nothing", () => {
    const { files, outputs } = onPrivateNode(config, [...stepsOf('kubeadm'), ...stepsOf('groundplane', '-o', 'json')]);
    const [before = {}, after = {}] = [files[phases.length - 1], files.at(-1)];
    expect(after).toEqual(before);
    const decisions = outputs
      .slice(phases.length)
      .flatMap((output) => (JSON.parse(output) as { phases: { phase: string; decision: string }[] }).phases)
      .filter(({ decision }) => decision !== 'inapplicable');
    expect(decisions.length).toBeGreaterThanOrEqual(14);
    expect(new Set(decisions.map(({ decision }) => decision))).toEqual(new Set(['keep']));
  });
});
