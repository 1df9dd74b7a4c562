import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askPrograms } from './asked-programs.ts';
import { type InstalledPrograms, installPrograms } from './installed-programs.ts';
import { caseFolder } from './sandbox-node.ts';

let programs: InstalledPrograms;
beforeAll(async () => {
  programs = await installPrograms();
});
afterAll(() => programs?.remove());

interface Node {
  readonly files?: Readonly<Record<string, string>>;
  /** Lines of the ClusterConfiguration that the node is made by. */
  readonly made?: string;
  /** Shell commands after certificates and kubeconfigs were made. */
  readonly after?: readonly string[];
  readonly flags?: readonly string[];
}

const header = 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nkubernetesVersion: v1.37.2\n';
const ecdsa = 'encryptionAlgorithm: ECDSA-P256\n';
const pki = '/etc/kubernetes/pki';
const config = `--config=${caseFolder}/asked.yaml`;

/** What each of the programs answers to these ways to ask, on the same node. */
function asked({ files = {}, made = ecdsa, after = [], flags = [] }: Node, formats: readonly (readonly string[])[]) {
  return askPrograms(
    programs,
    {
      files: { 'made.yaml': `${header}${made}`, ...files },
      prepare: [
        ...['certs all', 'kubeconfig all'].map(
          (phase) => `${programs.kubeadm} init phase ${phase} --config ${caseFolder}/made.yaml > /dev/null 2>&1`,
        ),
        ...after.map((line) => line.replaceAll('$KUBEADM', programs.kubeadm)),
      ],
    },
    formats.map((format) => ['certs', 'check-expiration', ...flags, ...format]),
  );
}

/** Seconds pass between two calls. */
const residual = /("?residualTime"?: )(-?\d+)/g;

function sameButForSeconds(theirs: string, ours: string): void {
  expect(ours.replace(residual, '$1SECONDS')).toBe(theirs.replace(residual, '$1SECONDS'));
  const seconds = (text: string) => [...text.matchAll(residual)].map(([, , number]) => Number(number));
  for (const [index, number] of seconds(theirs).entries()) {
    expect(Math.abs((seconds(ours)[index] ?? Number.NaN) - number)).toBeLessThan(30);
  }
}

/** Has the real kubeadm make certificates that last a second, and waits for their end. */
const expired = (...phases: readonly string[]) => [
  ...phases.map(
    (phase) =>
      `rm ${pki}/${phase.replace('etcd-', 'etcd/')}.*; $KUBEADM init phase certs ${phase} --config ${caseFolder}/short.yaml > /dev/null 2>&1`,
  ),
  'sleep 3.1',
];
const short = { 'short.yaml': `${header}${ecdsa}certificateValidityPeriod: 1s\n` };

const nodes: Readonly<Record<string, Node>> = {
  'a whole node with RSA keys': { made: '' },
  'a whole node with ECDSA keys': {},
  'certificates of half an hour': { made: `${ecdsa}certificateValidityPeriod: 30m50s\n` },
  'certificates of five hours': { made: `${ecdsa}certificateValidityPeriod: 5h30m50s\n` },
  'certificates of two days': { made: `${ecdsa}certificateValidityPeriod: 50h30m\n` },
  'certificates of six days': { made: `${ecdsa}certificateValidityPeriod: 147h30m\n` },
  'certificates of three years, a CA of five': {
    made: `${ecdsa}certificateValidityPeriod: 26300h30m\ncaCertificateValidityPeriod: 43820h\n`,
  },
  'certificates of twenty years': {
    made: `${ecdsa}certificateValidityPeriod: 175210h\ncaCertificateValidityPeriod: 175220h\n`,
  },
  'missing certificates and kubeconfigs': {
    after: [`rm ${pki}/apiserver.crt ${pki}/etcd/peer.crt /etc/kubernetes/admin.conf /etc/kubernetes/scheduler.conf`],
  },
  'a folder in the place of a certificate': { after: [`rm ${pki}/apiserver.crt; mkdir ${pki}/apiserver.crt`] },
  'no CA of etcd and nothing that it signed': { after: [`rm -r ${pki}/etcd ${pki}/apiserver-etcd-client.crt`] },
  'nothing at all': { after: ['rm -rf /etc/kubernetes'] },
  'an external Kubernetes CA': { after: [`rm ${pki}/ca.key`] },
  'an external front-proxy CA': { after: [`rm ${pki}/front-proxy-ca.key`] },
  'an external etcd CA': { after: [`rm ${pki}/etcd/ca.key`] },
  'all CAs external': { after: [`rm ${pki}/ca.key ${pki}/front-proxy-ca.key ${pki}/etcd/ca.key`] },
  'expired certificates': { files: short, after: expired('apiserver', 'etcd-server') },
  'a CA of two certificates': {
    after: [`cat ${pki}/front-proxy-ca.crt >> ${pki}/ca.crt`],
  },
  'another folder of certificates': {
    after: [`mv ${pki} /opt/pki`],
    flags: ['--cert-dir=/opt/pki'],
  },
  'another folder by a configuration': {
    after: [`mv ${pki} /opt/pki`],
    files: { 'asked.yaml': `${header}certificatesDir: /opt/pki\n` },
    flags: [config],
  },
  'external etcd by a configuration': {
    files: {
      'asked.yaml': `${header}etcd: { external: { endpoints: [https://192.0.2.9:2379], caFile: /a, certFile: /b, keyFile: /c } }\n`,
    },
    flags: [config],
  },
};

const formats = [[], ['-o', 'json']];

describe('prints what the real kubeadm prints', () => {
  it.each(Object.entries(nodes))('%s', (_, node) => {
    for (const { theirs, ours } of asked(node, formats)) {
      expect(theirs.status, theirs.stderr).toBe(0);
      expect(ours.status, ours.stderr).toBe(0);
      expect(theirs.stdout).toContain('apiserver');
      sameButForSeconds(theirs.stdout, ours.stdout);
    }
  });

  it('in every format', () => {
    const ways = [
      ['--output=JSON'],
      ['-okyaml'],
      ['-o=yaml'],
      ['-o', 'jsonpath={range .certificates[*]}{.name}{"\\t"}{.expirationDate}{"\\n"}{end}'],
      ['-o', 'jsonpath-as-json={.certificateAuthorities[*].name}'],
      ['-o', 'go-template={{range .certificates}}{{.name}} {{.missing}} {{.caName}}{{"\\n"}}{{end}}'],
      ['-o', 'go-template={{.kind}} {{.apiVersion}}'],
      ['-o', 'jsonpath={.none}', '--allow-missing-template-keys=false'],
      ['-o', 'nothing'],
      ['extra'],
    ];
    for (const [index, { theirs, ours }] of asked({ after: [`rm ${pki}/apiserver.crt`] }, ways).entries()) {
      expect({ index, status: ours.status }).toEqual({ index, status: theirs.status });
      sameButForSeconds(theirs.stdout, ours.stdout);
    }
  });
});

/** kubeadm prints nothing but an error. */
describe('says what can be said where the real kubeadm gives up', () => {
  const row = (output: string, name: string) =>
    output.split('\n').find((line) => line.split(/ {3}/)[0]?.endsWith(name));

  interface Said {
    readonly node: Node;
    readonly name: string;
    readonly cells: RegExp;
    readonly warned?: RegExp;
  }

  it.each<readonly [string, Said]>([
    [
      'an expired certificate of an external CA',
      {
        node: { files: short, after: [...expired('apiserver'), `rm ${pki}/ca.key`] },
        name: 'apiserver',
        cells: /^apiserver .*<invalid> +ca +yes/,
      },
    ],
    [
      'no CA beside what it signed',
      {
        node: { after: [`rm ${pki}/front-proxy-ca.crt`] },
        name: 'front-proxy-client',
        cells: /^front-proxy-client .* front-proxy-ca +no/,
      },
    ],
    [
      'another folder of certificates that the manifests name',
      {
        node: {
          made: `${ecdsa}certificatesDir: /opt/pki\n`,
          after: [`$KUBEADM init phase control-plane all --config ${caseFolder}/made.yaml > /dev/null 2>&1`],
        },
        name: 'apiserver',
        cells: /^apiserver .* 364d +ca +no/,
      },
    ],
    [
      'a kubeconfig whose user has a token',
      {
        node: { after: ["sed -i '/client-/d; s/user:$/user:\\n    token: abc/' /etc/kubernetes/scheduler.conf"] },
        name: 'scheduler.conf',
        cells: /^!MISSING! scheduler.conf/,
        warned: /scheduler\.conf.*no client certificate/,
      },
    ],
  ])('%s', (_, { node, name, cells, warned }) => {
    const [answer] = asked(node, [[]]);
    expect(answer?.theirs).toMatchObject({ status: 1, stdout: expect.not.stringContaining('RESIDUAL') });
    expect(answer?.ours.status, answer?.ours.stderr).toBe(0);
    expect(row(answer?.ours.stdout ?? '', name)).toMatch(cells);
    if (warned !== undefined) expect(answer?.ours.stderr).toMatch(warned);
  });

  it('a file that is no certificate: the rest, and an error', () => {
    const node = { after: [`echo nothing > ${pki}/apiserver.crt`] };
    const [text, json] = asked(node, [[], ['-o', 'json']]);
    expect(text?.theirs.status).toBe(1);
    expect(text?.ours).toMatchObject({ status: 1, stderr: expect.stringContaining(`${pki}/apiserver.crt`) });
    expect(row(text?.ours.stdout ?? '', 'apiserver')).toMatch(/^!MISSING! apiserver/);
    expect(row(text?.ours.stdout ?? '', 'etcd-peer')).toMatch(/ 364d +etcd-ca +no/);
    const document = JSON.parse(json?.ours.stdout ?? '');
    expect(document.certificates).toHaveLength(11);
    expect(document.error.code).toBe('CLI_CERTIFICATES_UNREADABLE');
  });

  it('warns of a flag that has no effect', () => {
    const files = { 'asked.yaml': header };
    const [answer] = asked({ files, flags: [config, '--cert-dir=/nowhere'] }, [[]]);
    sameButForSeconds(answer?.theirs.stdout ?? '', answer?.ours.stdout ?? '');
    expect(answer?.ours.stderr).toContain('--cert-dir has no effect beside --config');
  });
});
