import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { placeOf, signedBy } from './certificate-authority.ts';
import { externalAuthorityBlocks, type GuideBlock } from './guide-blocks.ts';
import { configuration, kubeadm, ours } from './requesting-node.ts';
import { caseFolder, type NodeEntries, onSandboxNode } from './sandbox-node.ts';

/** The commands of docs/external-ca.md as they are written there, but for those that need a cluster. */

const blocks = externalAuthorityBlocks();
/** A worker is another node, on a machine of its own. */
const isHere = ({ where, section }: GuideBlock) => where in carried && section !== 'Workers';

/** Requests and answers are carried from one folder to the other, which is all that the node and the CA have in common. */
const carried = {
  node: 'rm -rf /opt/ca/requests; [ ! -e /opt/node/requests ] || cp -r /opt/node/requests /opt/ca',
  ca: 'rm -rf /opt/node/answers; cp -r /opt/ca/answers /opt/node',
};

const here = blocks.filter(isHere);
const steps = here.map(({ where, commands }) => [
  ...['bash', '-euo', 'pipefail', '-c'],
  `cd /opt/${where}; ${commands}\n${carried[where as keyof typeof carried]}`,
]);

const pki = '/etc/kubernetes/pki';
const names = Object.keys(signedBy);

describe('the guide to an external CA', () => {
  let outputs: readonly string[];
  let entries: readonly NodeEntries[];
  const nodeAfter = (section: string) => entries[here.findLastIndex((block) => block.section === section)] ?? new Map();
  beforeAll(() => {
    const result = onSandboxNode({
      steps: [
        ...steps,
        ['bash', '-c', `${kubeadm} init phase certs all --config /opt/node/init.yaml 2>&1`],
        ['bash', '-c', `${kubeadm} init phase kubeconfig all --config /opt/node/init.yaml 2>&1`],
      ],
      files: {
        'init.yaml': configuration,
        groundplane: `#!/bin/sh\nexec ${ours} "$@"\n`,
      },
      prepare: [
        `mkdir -p /opt/node /opt/ca /srv/bin; cp ${caseFolder}/init.yaml /opt/node`,
        `install -m 755 ${caseFolder}/groundplane /srv/bin`,
      ],
      environment: { PATH: '/srv/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
    });
    ({ outputs, entries } = result);
  });

  it('says where each of its blocks is run', () => {
    expect(blocks.filter(({ where }) => !['node', 'ca', 'worker', 'cluster'].includes(where))).toEqual([]);
    expect(blocks.length).toBeGreaterThan(8);
    expect(here.length).toBeGreaterThan(7);
  });

  it('names commands and flags that there are, where it runs none', () => {
    const text = readFileSync(fileURLToPath(new URL('../docs/external-ca.md', import.meta.url)), 'utf8');
    const lines = [...text.matchAll(/^ {4}groundplane (.*)$/gm)].map(([, words = '']) => words);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      const [command = '', ...flags] = line.split(/ (?=--)/);
      const help = execFileSync('bash', ['-c', `${ours} ${command} --help`], { encoding: 'utf8' });
      for (const flag of flags) expect(help).toContain(flag.split(' ')[0]);
    }
  });

  it('leads to everything that init needs, without any key of a CA', () => {
    const imported = nodeAfter('Init');
    for (const name of names) expect(imported.has(placeOf(name)), name).toBe(true);
    expect(outputs.find((output) => output.includes('Nothing is needed, all of 16 are there and valid'))).toBeDefined();
    for (const { text = '' } of imported.values()) expect(text).not.toContain('still to come');
    expect([...imported.keys()].filter((path) => /^\/etc.*ca\.key$/.test(path))).toEqual([]);
    expect([...imported.keys()].filter((path) => /^\/opt\/ca\/.*ca\.key$/.test(path))).toHaveLength(3);
  });

  it('renews every certificate, with the keys and the CAs that are there', () => {
    const [before, renewed] = [nodeAfter('Init'), nodeAfter('Renew')];
    const certificate = (found: NodeEntries, name: string) =>
      new X509Certificate(found.get(`${pki}/${name}`)?.text ?? '');
    for (const name of names.filter((one) => !one.endsWith('.conf'))) {
      const file = placeOf(name).slice(pki.length + 1);
      expect(certificate(renewed, file).serialNumber, name).not.toBe(certificate(before, file).serialNumber);
      expect(certificate(renewed, file).publicKey.equals(certificate(before, file).publicKey), name).toBe(true);
    }
    for (const file of ['ca.crt', 'front-proxy-ca.crt', 'etcd/ca.crt', 'sa.key', 'sa.pub'])
      expect(renewed.get(`${pki}/${file}`)?.text, file).toBe(before.get(`${pki}/${file}`)?.text);
    for (const name of names.filter((one) => one.endsWith('.conf')))
      expect(renewed.get(placeOf(name))?.text, name).not.toBe(before.get(placeOf(name))?.text);
    const modes = (found: NodeEntries) =>
      [...found].flatMap(([path, { stat }]) => (path.startsWith('/etc/kubernetes') ? [[path, stat]] : []));
    expect(modes(renewed)).toEqual(modes(before));
  });

  it('leaves what the real kubeadm takes, before and after', () => {
    const [certs = '', kubeconfigs = ''] = outputs.slice(-2);
    expect(kubeconfigs).toContain('External CA mode');
    expect(certs).toContain('apiserver');
    const last = entries.at(-1) ?? new Map();
    const ofNode = (found: NodeEntries) => [...found].filter(([path]) => path.startsWith('/etc/kubernetes'));
    expect(ofNode(last)).toEqual(ofNode(nodeAfter('Renew')));
  });
});
