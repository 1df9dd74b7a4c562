import { beforeAll, describe, expect, it } from 'vitest';
import { placeOf, signedBy } from './certificate-authority.ts';
import { config, configuration, kubeadm, ours, pki } from './requesting-node.ts';
import { type NodeEntries, onSandboxNode, tolerant } from './sandbox-node.ts';

const shell = (command: string) => ['bash', '-c', `set -e; cd ${pki}; ${command}`];

const keys: Readonly<Record<string, string>> = {
  ca: 'ca.key',
  'front-proxy-ca': 'front-proxy-ca.key',
  'etcd-ca': 'etcd/ca.key',
};

interface Needed {
  readonly name: string;
  readonly state: string;
  readonly key?: string;
  readonly request?: { readonly place: string };
  readonly findings: readonly { readonly code: string; readonly message: string; readonly hint?: string }[];
}

const neededIn = (output = '') => (JSON.parse(output) as { readonly needed: readonly Needed[] }).needed;
const made = [
  'bash',
  '-c',
  `${kubeadm} init phase certs all ${config} && ${kubeadm} init phase kubeconfig all ${config}`,
];

const rows = [
  ['ca', ['ca']],
  ['front-proxy-ca', ['front-proxy-ca']],
  ['etcd-ca', ['etcd-ca']],
  ['all of them', ['ca', 'front-proxy-ca', 'etcd-ca']],
] as const;
const sample = process.env.GROUNDPLANE_TEST_FULL === '1' ? rows : rows.slice(2);

describe.each(sample)('without the key of %s', (_, authorities) => {
  const signed = Object.keys(signedBy).filter((name) => authorities.some((one) => one === signedBy[name]));
  let outputs: readonly string[];
  let statuses: readonly number[];
  let entries: readonly NodeEntries[];
  beforeAll(() => {
    const result = onSandboxNode({
      steps: [
        made,
        tolerant(`${ours} certs requests ${config} -o json`),
        shell(
          `mkdir /opt/elsewhere; ${authorities.map((name) => `mv ${keys[name]} ${keyElsewhere(name)}`).join('; ')}`,
        ),
        tolerant(`${ours} certs requests ${config} -o json`),
        tolerant(`${ours} init ${config} --dry-run --ignore-preflight-errors all`),
        shell(`rm ${signed.map(placeOf).join(' ')}`),
        tolerant(`${ours} init ${config} --ignore-preflight-errors all -o json`),
        tolerant(`${ours} certs requests ${config} --dry-run -o json`),
        tolerant(`${ours} certs requests ${config} -o json`),
        tolerant(`${ours} plan init ${config} 2>&1`),
        shell(signed.map(signature).join('; ')),
        tolerant(`${ours} certs import ${config} /opt/answers/*.crt 2>&1`),
        tolerant(`${ours} init phase certs all ${config} -o json && ${ours} init phase kubeconfig all ${config}`),
        tolerant(`${ours} init ${config} --dry-run --ignore-preflight-errors all 2>&1`),
        tolerant(
          `${kubeadm} init phase certs all ${config} 2>&1 && ${kubeadm} init phase kubeconfig all ${config} 2>&1`,
        ),
      ],
      files: { 'config.yaml': configuration },
    });
    ({ outputs, statuses, entries } = result);
  });

  it('nothing is needed as long as all is there', () => {
    expect(neededIn(outputs[1])).toEqual([]);
    expect(neededIn(outputs[3])).toEqual([]);
    expect(statuses[4], outputs[4]).toBe(0);
    expect(entries[4]).toEqual(entries[2]);
  });

  it('init ends before its first write where what it signs is missing, with the remedy', () => {
    expect(statuses[6]).toBe(3);
    expect(outputs[6]).toContain('certs requests');
    expect(outputs[9]).toContain('certs requests');
    expect(entries[6]).toEqual(entries[5]);
  });

  it('exactly that is asked for, with the keys that are there', () => {
    expect(neededIn(outputs[7]).map(({ name }) => name)).toEqual(signed.toSorted((a, b) => order(a) - order(b)));
    expect(entries[7]).toEqual(entries[6]);
    const needed = neededIn(outputs[8]);
    expect(needed.map(({ name }) => name).toSorted()).toEqual(signed.toSorted());
    for (const { name, key, request } of needed) {
      expect({ name, key }).toEqual({ name, key: name.endsWith('.conf') ? 'created' : 'kept' });
      expect(entries[8]?.get(request?.place ?? '')?.text).toMatch(/^-----BEGIN CERTIFICATE REQUEST-----/);
    }
    const before = entries[7] ?? new Map();
    for (const [path, entry] of entries[8] ?? [])
      if (before.has(path) && entry.stat.startsWith('file')) expect(before.get(path)).toEqual(entry);
  });

  it('what was signed elsewhere is imported, and init goes on with it, as the real kubeadm does', () => {
    expect(statuses[11], outputs[11]).toBe(0);
    expect(outputs[11]).toContain('Nothing more is needed');
    for (const step of [12, 13, 14]) {
      expect(statuses[step], outputs[step]).toBe(0);
      expect(entries[step]).toEqual(entries[11]);
    }
    for (const name of authorities) expect(entries[14]?.has(`${pki}/${keys[name]}`)).toBe(false);
    for (const name of signed) expect(entries[14]?.has(placeOf(name)), name).toBe(true);
  });
});

function keyElsewhere(authority: string): string {
  return `/opt/elsewhere/${authority}.key`;
}

/** Signs a request with the key that was taken away, as openssl does it. */
function signature(request: string): string {
  const authority = signedBy[request] ?? '';
  const place = placeOf(request);
  const csr = request.endsWith('.conf') ? `${place}.csr` : place.replace(/crt$/, 'csr');
  const certificate = `${pki}/${(keys[authority] ?? '').replace(/key$/, 'crt')}`;
  return `mkdir -p /opt/answers; openssl x509 -req -in ${csr} -copy_extensions copyall -CA ${certificate} -CAkey ${keyElsewhere(authority)} -days 365 -out /opt/answers/${request}.crt`;
}

function order(name: string): number {
  return Object.keys(signedBy).indexOf(name);
}

describe('what is there and wrong', () => {
  let outputs: readonly string[];
  let entries: readonly NodeEntries[];
  beforeAll(() => {
    const result = onSandboxNode({
      steps: [
        made,
        shell(
          [
            'openssl x509 -req -in <(openssl req -new -key apiserver.key -subj /CN=kube-apiserver) -CA ca.crt -CAkey ca.key -days 365 -out apiserver.crt',
            'cp front-proxy-client.crt apiserver-kubelet-client.crt',
            'rm front-proxy-client.key; echo broken > etcd/peer.key; rm etcd/peer.crt',
            'cp ../scheduler.conf ../controller-manager.conf',
            `rm ${Object.values(keys).join(' ')}`,
          ].join('; '),
        ),
        tolerant(`${ours} certs requests ${config} -o json`),
        tolerant(`${ours} certs requests ${config}`),
      ],
      files: { 'config.yaml': configuration },
    });
    ({ outputs, entries } = result);
  });

  it.each([
    ['apiserver', 'PKI_SAN_MISSING'],
    ['apiserver-kubelet-client', 'PKI_KEY_MISMATCH'],
    ['front-proxy-client', 'BOOTSTRAP_CERTIFICATE_KEY_MISSING'],
    ['etcd-peer', 'PKI_KEY_UNREADABLE'],
    ['controller-manager.conf', 'PKI_SUBJECT_DIFFERS'],
  ])('%s is named with the reason, and nothing takes its place', (name, code) => {
    const found = neededIn(outputs[2]).find((one) => one.name === name);
    expect(found).toMatchObject({ state: 'wrong' });
    expect(found?.request).toBeUndefined();
    expect(found?.findings.map((finding) => finding.code)).toContain(code);
    expect(outputs[3]).toContain(`${name}: is there and wrong`);
  });

  it('nothing else is needed, and nothing is written', () => {
    expect(neededIn(outputs[2])).toHaveLength(5);
    expect(entries[3]).toEqual(entries[1]);
  });
});

describe('certs generate-csr', () => {
  it('makes what the real kubeadm makes, and its answers can be imported as well', () => {
    const folders = (name: string) => `${config} --cert-dir /opt/${name}/pki --kubeconfig-dir /opt/${name}`;
    const { outputs, statuses, entries } = onSandboxNode({
      steps: [
        tolerant(`${kubeadm} certs generate-csr ${folders('theirs')} | sort`),
        tolerant(`${ours.replace('groundplane.js', 'kubeadm.js')} certs generate-csr ${folders('ours')} | sort`),
        tolerant(`${ours.replace('groundplane.js', 'kubeadm.js')} certs generate-csr ${folders('ours')} 2>&1`),
        tolerant(`${kubeadm} certs generate-csr ${folders('ours')} 2>&1`),
        ...['ours', 'theirs'].map((name) => [
          'bash',
          '-c',
          `cd /opt/${name}; for file in $(find . -name '*.csr' | sort); do echo $file; openssl req -in $file -noout -subject -text -nameopt RFC2253 | grep -vE '^ +([0-9a-f]{2}:)+|[0-9a-f]{2}$'; done`,
        ]),
        tolerant(`${ours} certs requests ${folders('theirs')} -o json`),
      ],
      files: { 'config.yaml': configuration },
    });
    const [theirs = '', own = '', again = '', kubeadmAgain = '', ownRequests, theirRequests, continued] = outputs;
    expect(own.replaceAll('/opt/ours', '/opt/theirs')).toBe(theirs);
    expect(again).toContain('file already exists: key or CSR /opt/ours/pki/');
    expect(kubeadmAgain).toContain('file already exists');
    expect(statuses.slice(0, 4)).toEqual([0, 0, 1, 1]);
    expect(ownRequests).toBe(theirRequests);
    const below = (name: string) =>
      [...(entries[1] ?? [])]
        .filter(([path]) => path.startsWith(`/opt/${name}/`))
        .map(([path, { stat, text = '' }]) => [
          path.slice(`/opt/${name}`.length),
          stat,
          path.endsWith('.conf') ? text.replace(/client-key-data: .*/, '') : '',
        ]);
    expect(below('ours')).toEqual(below('theirs'));
    expect(below('ours').length).toBeGreaterThanOrEqual(24);
    const taken = neededIn(continued).filter(({ name }) => name in signedBy);
    expect(taken).toHaveLength(12);
    for (const { name, state, key } of taken)
      expect({ name, state, key }).toEqual({ name, state: 'requested', key: 'kept' });
  });
});
