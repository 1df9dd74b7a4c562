import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { preflightCatalog, preflightCatalogRow } from '@groundplane/kubelet';
import { afterAll, describe, expect, test } from 'vitest';

const kubeadm = process.env.GROUNDPLANE_KUBEADM ?? '';
const programs = {
  theirs: [kubeadm],
  ours: [process.execPath, fileURLToPath(new URL('../../cli/dist/bin/kubeadm.js', import.meta.url))],
} as const;
const folder = mkdtempSync(join(tmpdir(), 'groundplane-preflight-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** All of it in vain: services that are not as they should be, and nothing else in PATH. */
const systemctl = `#!/bin/sh
case "$1" in
show) echo LoadState=loaded; echo ActiveState=active; echo UnitFileState=disabled;;
status) echo 'Loaded: loaded';;
is-active) echo active;;
*) exit 1;;
esac
`;

const ports = [6443, 10259, 10257, 10250, 2379, 2380];
const listen = `
const servers = ${JSON.stringify(ports)}.map((port) => require('node:net').createServer().listen(port, '::'));
Promise.all(servers.map((server) => new Promise((resolve) => server.on('listening', resolve)))).then(() => {
  require('node:fs').writeFileSync(process.argv[1], '');
});`;

interface Machine {
  /** Documents of the configuration file. */
  readonly documents: readonly object[];
  /** Shell lines that spoil the machine. */
  readonly prepare?: readonly string[];
  readonly ignore?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Runs the pre-flight checks in namespaces of their own (mounts, network, host name), where /etc/kubernetes and /var/lib/kubelet are empty.
 *
 * @returns severity and name of everything that was found, in the order in which it was told
 */
function found(program: keyof typeof programs, { documents, prepare = [], ignore, environment = {} }: Machine) {
  const place = mkdtempSync(join(folder, `${program}-`));
  const path = join(place, 'programs');
  mkdirSync(path);
  writeFileSync(join(path, 'systemctl'), systemctl);
  chmodSync(join(path, 'systemctl'), 0o755);
  const config = join(place, 'config.yaml');
  writeFileSync(config, documents.map((document) => JSON.stringify(document)).join('\n---\n'));
  const args = [
    'init',
    'phase',
    'preflight',
    '--config',
    config,
    ...(ignore === undefined ? [] : [`--ignore-preflight-errors=${ignore}`]),
  ];
  const assignments = Object.entries({
    PATH: path,
    GROUNDPLANE_STATE_DIR: join(place, 'state'),
    ...environment,
  }).map(([name, value]) => `${name}='${value}'`);
  const script = [
    'set -e',
    ...['/etc/kubernetes', '/var/lib/kubelet'].map((mountPoint) => `mount -t tmpfs -o mode=755 none ${mountPoint}`),
    'ip link set lo up; ip link add veth0 type veth peer name veth1; ip link set veth0 up; ip link set veth1 up',
    'ip addr add 192.0.2.10/24 dev veth0; ip -6 addr add 2001:db8::10/64 dev veth0 nodad',
    'ip route add default via 192.0.2.1 dev veth0; ip -6 route add default via 2001:db8::1 dev veth0',
    'echo 0 > /proc/sys/net/ipv4/ip_forward; echo 0 > /proc/sys/net/ipv6/conf/default/forwarding',
    `cd ${place}`,
    // Nobody answers for names, and says so at once.
    'touch resolv.conf; mount --bind resolv.conf /etc/resolv.conf',
    ...prepare,
    `exec env -i ${assignments.join(' ')} /usr/bin/taskset -c 0 ${[...programs[program], ...args].join(' ')}`,
  ];
  for (const mountPoint of ['/etc/kubernetes', '/var/lib/kubelet']) mkdirSync(mountPoint, { recursive: true });
  const { status, stderr, stdout } = spawnSync(
    'unshare',
    ['--mount', '--net', '--uts', '--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-c', script.join('\n')],
    { encoding: 'utf8' },
  );
  const told = Array.from(stderr.matchAll(/^\t\[(WARNING|ERROR) ([^\]]+)\]: (.*)$/gm), ([, severity, name, text]) => ({
    finding: `${severity} ${name}`,
    text,
  }));
  // Of a name that does not resolve kubeadm says so twice.
  const once = told.filter(
    ({ finding }, index) => finding !== 'WARNING Hostname' || told[index - 1]?.finding !== finding,
  );
  return { status, findings: once.map(({ finding }) => finding), output: `${stdout}${stderr}` };
}

const apiVersion = 'kubeadm.k8s.io/v1beta4';
const init = {
  apiVersion,
  kind: 'InitConfiguration',
  nodeRegistration: { name: 'no-such-host.invalid', criSocket: 'unix:///run/none.sock' },
  localAPIEndpoint: { advertiseAddress: '192.0.2.10' },
};
const cluster = (fields: object) => ({ apiVersion, kind: 'ClusterConfiguration', ...fields });

const spoilt: Machine = {
  documents: [
    init,
    cluster({
      kubernetesVersion: 'v1.38.0',
      networking: { serviceSubnet: '10.96.0.0/16,fd00::/112', podSubnet: '10.244.0.0/16,fd01::/48' },
      etcd: { local: { dataDir: '/var/lib/kubelet/etcd' } },
    }),
  ],
  prepare: [
    'mkdir -p /etc/kubernetes/manifests /var/lib/kubelet/etcd/member',
    'for name in kube-apiserver kube-controller-manager kube-scheduler etcd; do echo "kind: Pod" > /etc/kubernetes/manifests/$name.yaml; done',
    `printf 'Filename Type Size Used Priority\\n/swapfile file 1 0 -2\\n' > swaps; mount --bind swaps /proc/swaps`,
    `'${process.execPath}' -e "${listen.replaceAll('"', '\\"')}" "$PWD/listening" & `,
    'while ! [ -e listening ]; do sleep 0.1; done',
  ],
  environment: { HTTPS_PROXY: 'http://user:secret@proxy:3128' },
};
const external: Machine = {
  documents: [
    init,
    cluster({
      kubernetesVersion: 'v1.37.2',
      etcd: {
        external: {
          endpoints: ['https://127.0.0.1:1'],
          caFile: '/etc/kubernetes/none/ca.crt',
          certFile: '/etc/kubernetes/none/client.crt',
          keyFile: '/etc/kubernetes/none/client.key',
        },
      },
    }),
  ],
};

/** Listens like etcd that wants a certificate of its clients, and says that it is of this version. */
const serve = `
const { readFileSync, writeFileSync } = require('node:fs');
const [key, cert, ca] = ['server.key', 'server.crt', 'ca.crt'].map((name) => readFileSync(name));
const answer = JSON.stringify({ etcdserver: process.argv[1], etcdcluster: process.argv[1] });
require('node:https').createServer({ key, cert, ca, requestCert: true, rejectUnauthorized: true }, (request, response) => {
  if (request.url === '/version') response.end(answer); else response.writeHead(404).end();
}).listen(23790, '127.0.0.1', () => writeFileSync('listening', ''));`;

function etcdOf(version: string): Machine {
  const make = 'openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -days 1 2> /dev/null';
  const issue = `${make} -CA ca.crt -CAkey ca.key`;
  const files = {
    caFile: '/etc/kubernetes/ca.crt',
    certFile: '/etc/kubernetes/client.crt',
    keyFile: '/etc/kubernetes/client.key',
  };
  return {
    documents: [
      init,
      cluster({
        kubernetesVersion: 'v1.37.2',
        etcd: { external: { endpoints: ['https://127.0.0.1:23790/'], ...files } },
      }),
    ],
    prepare: [
      `${make} -subj /CN=ca -keyout ca.key -out ca.crt`,
      `${issue} -subj /CN=server -addext subjectAltName=IP:127.0.0.1 -keyout server.key -out server.crt`,
      `${issue} -subj /CN=client -keyout client.key -out client.crt`,
      'cp ca.crt client.crt client.key /etc/kubernetes/',
      `'${process.execPath}' -e "${serve.replaceAll('"', '\\"')}" ${version} & `,
      'while ! [ -e listening ]; do sleep 0.1; done',
    ],
    environment: { NO_PROXY: '*' },
  };
}

describe('the real kubeadm and we find the same, in the same order, on', () => {
  test.each<[string, Machine]>([
    ['a machine on which everything is wrong', spoilt],
    ['the same, all of it ignored', { ...spoilt, ignore: 'all' }],
    [
      'the same, some of it ignored',
      { ...spoilt, ignore: 'numcpu,PORT-6443,FileAvailable--etc-kubernetes-manifests-etcd.yaml' },
    ],
    ['a machine with external etcd', external],
    [
      'the same, all of it ignored, over IPv6',
      {
        ...external,
        ignore: 'all',
        documents: external.documents.map((document) =>
          document === init
            ? { ...init, localAPIEndpoint: { advertiseAddress: '2001:db8::10' } }
            : { ...document, networking: { serviceSubnet: 'fd00::/112' } },
        ),
      },
    ],
  ])('%s', (_name, machine) => {
    const theirs = found('theirs', machine);
    const ours = found('ours', machine);
    expect(theirs.findings.length, theirs.output).toBeGreaterThan(8);
    expect(ours.findings, ours.output).toEqual(theirs.findings);
    expect(ours.status).toBe(theirs.status);
  });

  test.each([
    ['3.6.0', false],
    ['3.5.24', false],
    ['3.5.23', true],
    ['3.6', true],
  ])('external etcd %s that asks for a certificate', (version, isRefused) => {
    const machine = etcdOf(version);
    const theirs = found('theirs', machine);
    expect(theirs.findings.includes('ERROR ExternalEtcdVersion'), theirs.output).toBe(isRefused);
    const ours = found('ours', machine);
    expect(ours.findings, ours.output).toEqual(theirs.findings);
  });

  test('and no password of a proxy is told', () => {
    const { findings, output } = found('ours', spoilt);
    expect(findings).toContain('WARNING HTTPProxy');
    expect(output).not.toContain('secret');
  });
});

test('the catalogue has every check of init that the real kubeadm has, with its severity', () => {
  const findings = [
    ...found('theirs', spoilt).findings,
    ...found('theirs', { ...external, ignore: 'ImagePull' }).findings,
    ...found('theirs', { ...external, ignore: 'all' }).findings.filter((finding) => finding.endsWith('ImagePull')),
  ];
  const named = findings.map((finding) => finding.split(' ')[1] ?? '');
  expect(named.filter((name) => !preflightCatalogRow(name)?.usedBy.includes('init'))).toEqual([]);
  const seen = new Set(named.map((name) => preflightCatalogRow(name)?.name));
  const unseen = preflightCatalog.filter((row) => row.usedBy.includes('init') && !seen.has(row.name));
  // Root runs this test, and memory cannot be taken from a machine; the last one is ours.
  expect(unseen.map(({ name }) => name)).toEqual(['IsPrivilegedUser', 'Mem', 'NetworkOverlap']);
  for (const finding of findings) {
    const [severity = '', name = ''] = finding.split(' ');
    if (name === 'ImagePull') continue;
    expect(preflightCatalogRow(name)?.severities, finding).toContain(severity.toLowerCase());
  }
});
