import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { authorityFunctions, placeOf, signedBy } from './certificate-authority.ts';
import { kubeconfigData } from './kubeconfig-data.ts';
import { config, kubeadm, configuration as ofNode, ours, pki } from './requesting-node.ts';
import { caseFolder, type NodeEntries, onSandboxNode, tolerant } from './sandbox-node.ts';

const configuration = `${ofNode}apiServer:
  certSANs: [api.example.com]
`;

const names = Object.keys(signedBy);

/** As root of the CA. */
const elsewhere = (script: string) => ['bash', '-c', `. ${caseFolder}/authority.sh; cd /opt; ${script}`];

interface WrongAnswer {
  readonly name: string;
  /** The request that it answers; absent where it answers none. */
  readonly request?: string;
  readonly code: string;
  /** Shell commands that make the file $ANSWER. */
  readonly made: string;
}

const sign = (request: string, { by = signedBy[request], more = '' } = {}) =>
  `${more} sign ${by} /opt/requests/${request}.csr $ANSWER`;
const usages = (usage: string, keyUsage = 'digitalSignature') =>
  `basicConstraints=critical,CA:FALSE\\nkeyUsage=critical,${keyUsage}\\nextendedKeyUsage=${usage}`;
const serverNames = [
  ...['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'],
  ...['node-a', 'api.example.com'],
].map((name) => `DNS:${name}`);
const serverAddresses = ['10.96.0.1', '192.0.2.10'].map((address) => `IP:${address}`);
const without = (name: string) =>
  `EXTENSIONS='${usages('serverAuth')}\\nsubjectAltName=${[...serverNames, ...serverAddresses].filter((one) => one !== name).join(',')}'`;

const wrongAnswers: readonly WrongAnswer[] = [
  {
    name: 'another key',
    code: 'BOOTSTRAP_ANSWER_UNKNOWN',
    made: 'pair $CA/other; openssl req -new -key $CA/other.key -subj /CN=kube-apiserver -out $CA/other.csr; sign ca $CA/other.csr $ANSWER',
  },
  ...['DNS:kubernetes', 'DNS:node-a', 'DNS:api.example.com', 'IP:192.0.2.10'].map((name) => ({
    name: `without ${name.slice(name.indexOf(':') + 1)}`,
    request: 'apiserver',
    code: 'PKI_SAN_MISSING',
    made: sign('apiserver', { more: without(name) }),
  })),
  {
    name: 'the usage of a server',
    request: 'apiserver-kubelet-client',
    code: 'PKI_USAGE_MISSING',
    made: sign('apiserver-kubelet-client', { more: `EXTENSIONS='${usages('serverAuth')}'` }),
  },
  {
    name: 'a key that must not sign',
    request: 'scheduler.conf',
    code: 'PKI_USAGE_MISSING',
    made: sign('scheduler.conf', { more: `EXTENSIONS='${usages('clientAuth', 'keyEncipherment')}'` }),
  },
  {
    name: 'another CA',
    request: 'apiserver-kubelet-client',
    code: 'PKI_CERTIFICATE_UNTRUSTED',
    made: sign('apiserver-kubelet-client', { by: 'front-proxy-ca' }),
  },
  {
    name: 'expired',
    request: 'kubelet.conf',
    code: 'PKI_CERTIFICATE_EXPIRED',
    made: sign('kubelet.conf', { more: 'START=20200101000000Z END=20210201000000Z' }),
  },
  {
    name: 'not yet valid',
    request: 'etcd-healthcheck-client',
    code: 'PKI_CERTIFICATE_NOT_YET_VALID',
    made: sign('etcd-healthcheck-client', { more: 'START=20350101000000Z END=20360201000000Z' }),
  },
  {
    name: 'the subject of another request',
    request: 'controller-manager.conf',
    code: 'PKI_SUBJECT_DIFFERS',
    made: sign('controller-manager.conf', { more: 'SUBJECT=/CN=system:kube-scheduler' }),
  },
  {
    name: 'the contents of another request',
    request: 'apiserver',
    code: 'PKI_USAGE_MISSING',
    made: sign('apiserver', { more: `SUBJECT=/CN=kube-apiserver-kubelet-client EXTENSIONS='${usages('clientAuth')}'` }),
  },
  {
    name: 'without its group',
    request: 'admin.conf',
    code: 'PKI_SUBJECT_DIFFERS',
    made: sign('admin.conf', { more: 'SUBJECT=/CN=kubernetes-admin' }),
  },
  {
    name: 'for a month',
    request: 'super-admin.conf',
    code: 'BOOTSTRAP_ANSWER_TOO_SHORT',
    made: sign('super-admin.conf', { more: "END=$(date -u -d '+30 days' +%Y%m%d%H%M%SZ)" }),
  },
  {
    name: 'nearly spent',
    request: 'super-admin.conf',
    code: 'BOOTSTRAP_ANSWER_TOO_SHORT',
    made: sign('super-admin.conf', {
      more: "START=$(date -u -d '-360 days' +%Y%m%d%H%M%SZ) END=$(date -u -d '+6 days' +%Y%m%d%H%M%SZ)",
    }),
  },
  {
    name: 'with an e-mail address and a URI',
    request: 'kubelet.conf',
    code: 'BOOTSTRAP_ANSWER_EXTRA',
    made: sign('kubelet.conf', {
      more: `EXTENSIONS='${usages('clientAuth')}\\nsubjectAltName=email:root@example.com,URI:spiffe://example.com/x'`,
    }),
  },
  {
    name: 'with an identifier of a user',
    request: 'super-admin.conf',
    code: 'BOOTSTRAP_ANSWER_EXTRA',
    made: [
      "sed -n 's/ *client-key-data: //p' /etc/kubernetes/super-admin.conf | base64 -d > $CA/user.key",
      `printf '[req]\\ndistinguished_name=dn\\nprompt=no\\n[dn]\\nO=system:masters\\nCN=kubernetes-super-admin\\nuser.1.3.6.1.4.1.57683.2=0123\\n' > $CA/user.cnf`,
      'openssl req -new -config $CA/user.cnf -key $CA/user.key -out $CA/user.csr',
      `printf '${usages('clientAuth')}' > $CA/user.ext`,
      'openssl x509 -req -in $CA/user.csr -CA $CA/ca/intermediate.crt -CAkey $CA/ca/intermediate.key -days 366 -extfile $CA/user.ext -out $ANSWER 2>> $CA/log',
    ].join('; '),
  },
  {
    name: 'that may sign beside being no CA',
    request: 'controller-manager.conf',
    code: 'BOOTSTRAP_ANSWER_EXTRA',
    made: sign('controller-manager.conf', {
      more: `EXTENSIONS='${usages('clientAuth', 'digitalSignature,keyCertSign')}'`,
    }),
  },
  {
    name: 'a CA',
    request: 'scheduler.conf',
    code: 'BOOTSTRAP_ANSWER_IS_CA',
    made: sign('scheduler.conf', {
      more: `EXTENSIONS='basicConstraints=critical,CA:TRUE\\nkeyUsage=critical,digitalSignature,keyCertSign\\nextendedKeyUsage=clientAuth'`,
    }),
  },
  {
    name: 'signed with SHA-1',
    request: 'controller-manager.conf',
    code: 'PKI_CERTIFICATE_UNTRUSTED',
    made: sign('controller-manager.conf', { more: 'DIGEST=sha1' }),
  },
  {
    name: 'signed by a weak intermediate CA',
    request: 'etcd-healthcheck-client',
    code: 'PKI_KEY_WEAK',
    made: [
      'openssl genrsa -traditional -out $CA/etcd-ca/weak.key 1024 2>> $CA/log',
      "certify '/CN=Weak' $CA/etcd-ca/weak $CA/etcd-ca/root basicConstraints=critical,CA:TRUE keyUsage=critical,keyCertSign",
      sign('etcd-healthcheck-client', { more: 'BY=weak' }),
      'cat $CA/etcd-ca/weak.crt >> $ANSWER',
    ].join('; '),
  },
  {
    name: 'signed by itself',
    request: 'kubelet.conf',
    code: 'PKI_CERTIFICATE_UNTRUSTED',
    made: [
      "sed -n 's/ *client-key-data: //p' /etc/kubernetes/kubelet.conf | base64 -d > $CA/kubelet.key",
      'openssl req -x509 -key $CA/kubelet.key -subj /O=system:nodes/CN=system:node:node-a -addext basicConstraints=critical,CA:FALSE -addext extendedKeyUsage=clientAuth -days 365 -out $ANSWER',
    ].join('; '),
  },
  { name: 'no certificate', code: 'BOOTSTRAP_ANSWER_UNREADABLE', made: 'echo "still in the queue" > $ANSWER' },
];

const fileOf = (index: number) => `/opt/wrong/${String(index).padStart(2, '0')}.crt`;

/** The form in which each of the first portion comes back. */
const firstPortion: Readonly<Record<string, string>> = {
  'etcd-server': 'cat $CA/etcd-ca/root.crt $CA/etcd-ca/intermediate.crt good/etcd-server.crt > first/etcd-server.pem',
  'etcd-peer': 'openssl crl2pkcs7 -nocrl -certfile good/etcd-peer.crt -outform DER -out first/etcd-peer.p7b',
  'apiserver-etcd-client':
    'openssl crl2pkcs7 -nocrl -certfile $CA/etcd-ca/intermediate.crt -certfile good/apiserver-etcd-client.crt -out first/apiserver-etcd-client.p7c',
  'front-proxy-client': 'openssl x509 -in good/front-proxy-client.crt -outform DER -out first/front-proxy-client.cer',
};
const secondPortion = names.filter((name) => !(name in firstPortion));

/** Those whose files are called like each other. */
const swapped: readonly string[] = ['admin.conf', 'scheduler.conf'];

interface Import {
  readonly imported: readonly { readonly name: string; readonly action: string }[];
  readonly refused: readonly {
    readonly from: string;
    readonly name?: string;
    readonly findings: readonly { readonly code: string; readonly message: string }[];
  }[];
  readonly needed: readonly { readonly name: string }[];
  readonly remarks: readonly { readonly code: string }[];
}

interface Requests {
  readonly valid: number;
  readonly needed: readonly {
    readonly name: string;
    readonly state: string;
    readonly request?: { readonly place: string };
  }[];
}

function document<T>(output: string): T {
  return JSON.parse(output) as T;
}

describe('certificates from a CA that is elsewhere', () => {
  const steps = {
    blocked: tolerant(`${ours} init ${config} --dry-run -o json`),
    asked: tolerant(`${ours} certs requests ${config} -o json`),
    again: tolerant(`${ours} certs requests ${config} -o json`),
    folder: tolerant(`${ours} certs requests ${config} --output-dir /opt/requests -o json`),
    signed: elsewhere(
      [
        'authorities',
        ...names.map((name) => `sign ${signedBy[name]} requests/${name}.csr good/${name}.crt`),
        ...wrongAnswers.map(({ made }, index) => `mkdir -p wrong; ANSWER=${fileOf(index)}; ${made}`),
        'mkdir -p first other; cp $CA/front-proxy-ca/root.crt other/ca.crt',
        ...Object.values(firstPortion),
        'for name in ca front-proxy-ca etcd-ca; do cp $CA/$name/root.crt first/$name.crt; done',
        'cat $CA/front-proxy-ca/intermediate.crt $CA/ca/intermediate.crt > first/intermediates.pem',
        `cat ${secondPortion
          .filter((name) => !swapped.includes(name))
          .map((name) => `good/${name}.crt`)
          .join(' ')} > second.pem`,
        'mkdir swapped; cp good/admin.conf.crt swapped/scheduler.conf.crt; cp good/scheduler.conf.crt swapped/admin.conf.crt',
      ].join('\n'),
    ),
    tried: tolerant(`${ours} certs import ${config} --dry-run -o json /opt/first/* /opt/wrong/*`),
    first: tolerant(`${ours} certs import ${config} -o json /opt/first/* /opt/wrong/*`),
    incomplete: tolerant(`${ours} init ${config} --ignore-preflight-errors all -o json`),
    rest: tolerant(`${ours} certs requests ${config} -o json`),
    second: tolerant(`cat /opt/second.pem | ${ours} certs import ${config} -o json - /opt/swapped/*`),
    repeated: tolerant(
      `${ours} certs import ${config} -o json /opt/first/* /opt/second.pem /opt/swapped/* /opt/other/ca.crt`,
    ),
    nothing: tolerant(`${ours} certs requests ${config} -o json`),
    phases: tolerant(`${ours} init phase certs all ${config} -o json && ${ours} init phase kubeconfig all ${config}`),
    plan: tolerant(`${ours} plan init ${config} -o json`),
    dryRun: tolerant(`${ours} init ${config} --dry-run --ignore-preflight-errors all -o json`),
    verified: tolerant(`${ours} verify certs ${config} -o json`),
    verifiedKubeconfigs: tolerant(`${ours} verify kubeconfig ${config} -o json`),
    kubeadmCerts: tolerant(`${kubeadm} init phase certs all ${config} 2>&1`),
    kubeadmKubeconfigs: tolerant(`${kubeadm} init phase kubeconfig all ${config} 2>&1`),
  };
  const order = Object.keys(steps) as (keyof typeof steps)[];
  let outputs: Readonly<Record<keyof typeof steps, string>>;
  let statuses: Readonly<Record<keyof typeof steps, number>>;
  let entries: Readonly<Record<keyof typeof steps, NodeEntries>>;
  beforeAll(() => {
    const result = onSandboxNode({
      steps: order.map((name) => steps[name]),
      files: { 'config.yaml': configuration, 'authority.sh': authorityFunctions },
    });
    const byName = <T>(list: readonly T[]) =>
      Object.fromEntries(order.map((name, index) => [name, list[index]])) as Record<keyof typeof steps, T>;
    outputs = byName(result.outputs);
    statuses = byName(result.statuses);
    entries = byName(result.entries);
  });
  const kubernetes = (name: keyof typeof steps) =>
    new Map([...entries[name]].filter(([path]) => path.startsWith('/etc/kubernetes')));

  it('are asked for once: keys and requests stay', () => {
    const asked = document<Requests>(outputs.asked);
    expect(asked.needed.flatMap(({ name, request }) => (request === undefined ? [] : [name])).toSorted()).toEqual(
      names.toSorted(),
    );
    expect(kubernetes('again')).toEqual(kubernetes('asked'));
    const secrets = [...entries.asked].filter(([path]) => /\.(key|conf)$/.test(path));
    expect(secrets).toHaveLength(13);
    for (const [path, { stat }] of secrets) expect({ path, stat }).toEqual({ path, stat: 'file 600 0:0' });
  });

  it('are requested with everything that they have to say, as openssl reads it', () => {
    const request = entries.asked.get(`${pki}/apiserver.csr`)?.text ?? '';
    const text = execFileSync('openssl', ['req', '-noout', '-text', '-verify'], {
      input: request,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    expect(text).toContain('CN = kube-apiserver');
    expect(text).toContain('CA:FALSE');
    expect(text).toContain('Digital Signature, Key Encipherment');
    expect(text).toContain('TLS Web Server Authentication');
    for (const name of [...serverNames, ...serverAddresses.map((one) => one.replace('IP:', 'IP Address:'))])
      expect(text).toContain(name);
    const client = entries.asked.get('/etc/kubernetes/admin.conf.csr')?.text ?? '';
    const ofClient = execFileSync('openssl', ['req', '-noout', '-text'], { input: client, encoding: 'utf8' });
    expect(ofClient).toContain('O = kubeadm:cluster-admins, CN = kubernetes-admin');
    expect(ofClient).toContain('TLS Web Client Authentication');
  });

  it('a dry run of the import says the same and writes nothing', () => {
    expect(kubernetes('tried')).toEqual(kubernetes('signed'));
    const [tried, first] = [document<Import>(outputs.tried), document<Import>(outputs.first)];
    expect({ ...tried, dryRun: undefined }).toEqual({ ...first, dryRun: undefined });
    expect(statuses.tried).toBe(3);
  });

  it('come in portions, and the wrong ones keep nothing else out', () => {
    const first = document<Import>(outputs.first);
    expect(statuses.first).toBe(3);
    expect(first.imported.map(({ name }) => name).toSorted()).toEqual(
      ['ca', 'front-proxy-ca', 'etcd-ca', ...Object.keys(firstPortion)].toSorted(),
    );
    expect(first.needed.map(({ name }) => name).toSorted()).toEqual(secondPortion.toSorted());
    const rest = document<Requests>(outputs.rest);
    expect(rest.needed.map(({ name, state }) => [name, state]).toSorted()).toEqual(
      secondPortion.map((name) => [name, 'requested']).toSorted(),
    );
    expect(statuses.second).toBe(0);
    const second = document<Import>(outputs.second);
    expect(second).toMatchObject({ refused: [], needed: [] });
    expect(second.remarks.map(({ code }) => code)).toEqual(swapped.map(() => 'BOOTSTRAP_ANSWER_MISNAMED'));
    expect(document<Requests>(outputs.nothing)).toMatchObject({ needed: [], valid: 16 });
  });

  it.each(wrongAnswers.map((row, index) => [row.name, row, index] as const))('%s is refused', (_, row, index) => {
    const refused = document<Import>(outputs.first).refused.filter(({ from }) => from === fileOf(index));
    expect(refused).toHaveLength(1);
    expect(refused[0]?.name).toBe(row.request);
    expect(refused[0]?.findings.map(({ code }) => code)).toContain(row.code);
    const messages = refused[0]?.findings.map(({ message }) => message).join() ?? '';
    const { request = fileOf(index) } = row;
    expect(
      [request, placeOf(request)].some((name) => messages.includes(name)),
      messages,
    ).toBe(true);
  });

  it('end init before the first write while some are missing, with the remedy', () => {
    expect(statuses.incomplete).toBe(3);
    expect(outputs.incomplete).toContain('certs requests');
    expect(entries.incomplete).toEqual(entries.first);
  });

  it('are written once: what comes again is there already, and another CA is refused', () => {
    expect(kubernetes('repeated')).toEqual(kubernetes('second'));
    const { imported, refused } = document<Import>(outputs.repeated);
    expect(imported.map(({ action }) => action)).toEqual(Array(15).fill('kept'));
    expect(refused).toMatchObject([
      { from: '/opt/other/ca.crt', name: 'ca', findings: [{ code: 'BOOTSTRAP_ANSWER_IN_PLACE' }] },
    ]);
  });

  it('stand in their files with their intermediates in the order that TLS takes, as openssl has it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'groundplane-exchange-'));
    try {
      for (const name of names) {
        const text = entries.second.get(placeOf(name))?.text ?? '';
        const pem = name.endsWith('.conf') ? kubeconfigData(text, 'client-certificate-data') : text;
        const chain = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----\n/g) ?? [];
        expect(
          chain.map((one) => new X509Certificate(one).subject.split('\n').at(-1)),
          name,
        ).toEqual([expect.any(String), `CN=Intermediate of ${signedBy[name]}`]);
        const authority = { ca: 'ca', 'front-proxy-ca': 'front-proxy-ca', 'etcd-ca': 'etcd/ca' }[signedBy[name] ?? ''];
        writeFileSync(join(folder, 'ca.crt'), entries.second.get(`${pki}/${authority}.crt`)?.text ?? '');
        writeFileSync(join(folder, 'chain.crt'), pem);
        const args = ['verify', '-x509_strict', '-CAfile', 'ca.crt', '-untrusted', 'chain.crt', 'chain.crt'];
        expect(execFileSync('openssl', args, { cwd: folder, encoding: 'utf8' }), name).toContain(': OK');
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('are what all phases go on with', () => {
    for (const name of ['phases', 'plan', 'dryRun', 'verified', 'verifiedKubeconfigs'] as const)
      expect({ name, code: statuses[name] }, outputs[name]).toEqual({ name, code: 0 });
    expect(kubernetes('phases')).toEqual(kubernetes('second'));
    const verdicts = [outputs.verified, outputs.verifiedKubeconfigs].flatMap(
      (output) =>
        document<{ readonly phases: readonly { readonly phase: string; readonly verdict: string }[] }>(output).phases,
    );
    expect(verdicts.filter(({ verdict }) => verdict !== 'valid')).toEqual([]);
    expect(verdicts).toHaveLength(16);
  });

  it('are what the real kubeadm takes in its external CA mode, and it changes nothing', () => {
    expect(statuses.kubeadmCerts, outputs.kubeadmCerts).toBe(0);
    expect(statuses.kubeadmKubeconfigs, outputs.kubeadmKubeconfigs).toBe(0);
    expect(outputs.kubeadmKubeconfigs).toMatch(/External CA mode/);
    expect(kubernetes('kubeadmKubeconfigs')).toEqual(kubernetes('second'));
  });

  it('leave no private key in what is printed', () => {
    const printed = Object.values(outputs).join('\n');
    expect(printed).not.toContain('PRIVATE KEY');
    for (const [path, { text = '' }] of entries.second) {
      if (!path.endsWith('.key')) continue;
      const line = text.split('\n')[1] ?? '';
      expect(line.length, path).toBeGreaterThan(40);
      expect(printed).not.toContain(line);
    }
  });
});

describe('one intermediate CA that is trusted as all three', () => {
  const steps = [
    tolerant(`${ours} certs requests ${config} --output-dir /opt/requests`),
    elsewhere(['authorities', ...names.map((name) => `sign ca requests/${name}.csr good/${name}.pem`)].join('\n')),
    tolerant(
      `${ours} certs import ${config} ${['ca', 'front-proxy-ca', 'etcd-ca'].map((name) => `--authority ${name}=/opt/authority/ca/intermediate.crt`).join(' ')} /opt/good/*.pem`,
    ),
    tolerant(`${ours} verify certs ${config} -o json && ${ours} verify kubeconfig ${config} -o json`),
    tolerant(
      `${ours} init phase certs all ${config} && ${kubeadm} init phase certs all ${config} && ${kubeadm} init phase kubeconfig all ${config}`,
    ),
    tolerant(`${ours} certs requests ${config}`),
  ];

  it('is enough, with RSA keys, which are the default', () => {
    const { outputs, statuses, entries } = onSandboxNode({
      steps,
      files: {
        'config.yaml': configuration.replace('encryptionAlgorithm: ECDSA-P256\n', ''),
        'authority.sh': authorityFunctions,
      },
    });
    expect(statuses, outputs.join('\n')).toEqual([0, 0, 0, 0, 0, 0]);
    expect(outputs[2]).toContain('Nothing more is needed');
    expect(outputs[5]).toContain('Nothing is needed, all of 16 are there and valid');
    const places = ['ca.crt', 'front-proxy-ca.crt', 'etcd/ca.crt'].map(
      (name) => entries[2]?.get(`${pki}/${name}`)?.text,
    );
    expect(new Set(places).size).toBe(1);
    expect(new X509Certificate(places[0] ?? '').subject).toContain('CN=Intermediate of ca');
    expect(entries[4]?.get(`${pki}/apiserver.crt`)?.text?.match(/BEGIN CERTIFICATE/g)).toHaveLength(1);
    expect(entries[4]).toEqual(entries[2]);
  });
});

describe.each([
  ['intermediate', 'root'],
  ['root', 'intermediate'],
])('a CA that an administrator has placed as a bundle, %s first', (...order) => {
  const ofCa = names.filter((name) => signedBy[name] === 'ca');
  const only = 'certs/apiserver';

  it('takes certificates that come alone, as the API server would and the real kubeadm does', () => {
    const { outputs, statuses, entries } = onSandboxNode({
      steps: [
        tolerant(`${ours} certs requests ${config} --authorities ca --output-dir /opt/requests`),
        elsewhere(
          [
            'authorities',
            ...ofCa.map((name) => `sign ca requests/${name}.csr good/${name}.crt`),
            `cat ${order.map((name) => `$CA/ca/${name}.crt`).join(' ')} > ${pki}/ca.crt`,
          ].join('\n'),
        ),
        tolerant(`${ours} certs import ${config} /opt/good/*.crt 2>&1`),
        tolerant(`${ours} verify ${only} ${config} && ${ours} verify kubeconfig ${config}`),
        tolerant(
          `${kubeadm} init phase certs apiserver ${config} 2>&1 && ${kubeadm} init phase kubeconfig all ${config} 2>&1`,
        ),
      ],
      files: { 'config.yaml': configuration, 'authority.sh': authorityFunctions },
    });
    expect(statuses, outputs.join('\n')).toEqual([0, 0, 0, 0, 0]);
    expect(outputs[2]).toContain('Nothing more is needed');
    expect(entries[4]).toEqual(entries[2]);
    const certificates = entries[2]?.get(`${pki}/apiserver.crt`)?.text?.match(/BEGIN CERTIFICATE/g);
    expect(certificates).toHaveLength(order[0] === 'root' ? 2 : 1);
  });
});

describe('a certificate whose intermediate CA is not there', () => {
  it('is refused with the advice to bring that, and taken with it', () => {
    const client = 'front-proxy-client';
    const { outputs, statuses } = onSandboxNode({
      steps: [
        tolerant(`${ours} certs requests ${config} --authorities front-proxy-ca --output-dir /opt/requests`),
        elsewhere(`authorities; sign front-proxy-ca requests/${client}.csr ${client}.crt`),
        tolerant(
          `${ours} certs import ${config} --authority front-proxy-ca=/opt/authority/front-proxy-ca/root.crt /opt/${client}.crt 2>&1`,
        ),
        tolerant(
          `${ours} certs import ${config} /opt/${client}.crt /opt/authority/front-proxy-ca/intermediate.crt 2>&1`,
        ),
      ],
      files: { 'config.yaml': configuration, 'authority.sh': authorityFunctions },
    });
    expect(statuses, outputs.join('\n')).toEqual([0, 0, 3, 0]);
    expect(outputs[2]).toMatch(/PKI_CERTIFICATE_UNTRUSTED.*\n.*import the certificate of that CA along/);
    expect(outputs[3]).toContain('Nothing more is needed');
  });
});
