import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../packages/errors/dist/index.js';
import type { ArtifactUse, CertificateDemand, WorkflowDescription } from '../packages/phases/dist/index.js';
import { certificateFacts, daysLeft, demandedFacts } from './certificate-facts.ts';
import { describeInit, makerCommand, pathOf, shellInstaller, writtenArtifacts } from './foreign-pki.ts';
import { inviolable, liberties, type Violation, violations, violationVocabulary } from './foreign-pki-violations.ts';
import { inPrivateTrees, type PrivateResult, type PrivateRun } from './private-trees.ts';

const configuration = `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint:
  advertiseAddress: 192.0.2.10
nodeRegistration:
  name: node-a
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
encryptionAlgorithm: ECDSA-P256
certificateValidityPeriod: 2400h
apiServer:
  certSANs: [api.example.com]
`;

const folder = mkdtempSync(join(tmpdir(), 'groundplane-foreign-pki-'));
const configFile = join(folder, 'config.yaml');
const descriptionFile = join(folder, 'description.json');
let description: WorkflowDescription;
let artifacts: ReadonlyMap<string, ArtifactUse>;
/** The description as jq prints it. */
let unchanged: string;

beforeAll(() => {
  writeFileSync(configFile, configuration);
  description = describeInit(configFile);
  artifacts = writtenArtifacts(description);
  writeFileSync(descriptionFile, JSON.stringify(description));
  unchanged = jq('.');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const jq = (filter: string) => execFileSync('jq', [filter, descriptionFile], { maxBuffer: 2 ** 26, encoding: 'utf8' });

/** Changes the description by words of `violationVocabulary`. @returns the path of the file with the changed one */
function changedDescription(change: string): string {
  const edited = jq(`${violationVocabulary} ${change}`);
  expect(edited).not.toBe(unchanged);
  const path = join(mkdtempSync(join(folder, 'changed-')), 'description.json');
  writeFileSync(path, edited);
  return path;
}

const config = ['--config', configFile];
const program = (...args: readonly string[]): PrivateRun => ({ program: 'groundplane', args: [...args, ...config] });

/** Runs on a node of its own, after shell commands as root; afterwards /etc/kubernetes is in `kept`. */
async function onNode(prepare: readonly string[], runs: readonly PrivateRun[]): Promise<readonly PrivateResult[]> {
  const own = mkdtempSync(join(folder, 'node-'));
  return inPrivateTrees({ folder: own, prepare: prepare.join('\n'), runs, timeout: 60 });
}

/** Makes files on a node of its own and returns the folder that stands for its root. */
async function madeBy(name: string, ...commands: readonly string[]): Promise<string> {
  const root = join(folder, name);
  mkdirSync(join(root, 'etc'), { recursive: true });
  await onNode([...commands, `cp -a /etc/kubernetes ${root}/etc`], []);
  return root;
}

const { GROUNDPLANE_COMPONENTS: components = '', GROUNDPLANE_KUBEADM: kubeadm = '' } = process.env;
const makers = {
  openssl: makerCommand('openssl', descriptionFile),
  cfssl: `PATH=${components}:$PATH ${makerCommand('cfssl', descriptionFile)}`,
  kubeadm: `${kubeadm} init phase certs all ${config.join(' ')}`,
};

/** What cfssl decides about a CA itself. */
const ofCfssl: Partial<CertificateDemand> = { dnsNames: [], keyUsage: ['keyCertSign', 'cRLSign'] };

interface PhasesDocument {
  readonly phases: readonly { readonly decision?: string; readonly verdict?: string }[];
}

/** Those of a JSON document, wherever it lists them. */
function findingsIn(result: PrivateResult | undefined): readonly Finding[] {
  const findings: Finding[] = [];
  JSON.parse(result?.stdout ?? '', (key, value) => {
    if (key === 'findings') findings.push(...(value as readonly Finding[]));
    return value;
  });
  return findings;
}

/** Each takes seconds, so all are tested only if asked for. */
function sampled<T extends { readonly name: string }>(rows: readonly T[]): readonly (readonly [string, T])[] {
  const sample = process.env.GROUNDPLANE_TEST_FULL === '1' ? rows : rows.filter((_, index) => index % 4 === 0);
  return sample.map((row) => [row.name, row]);
}

function certificates(): readonly (readonly [string, CertificateDemand, string])[] {
  return [...artifacts.values()].flatMap((artifact) => {
    const demand = artifact.demands.find(({ certificate }) => certificate !== undefined)?.certificate;
    return demand === undefined ? [] : [[artifact.id, demand, pathOf(artifact)] as const];
  });
}

describe.each(Object.entries(makers))('what %s makes', (name, command) => {
  let root: string;
  beforeAll(async () => {
    root = await madeBy(name, command);
  });

  it('has in it what the description says, as openssl reads it', () => {
    expect(certificates().map(([id]) => id)).toHaveLength(10);
    for (const [id, demand, path] of certificates()) {
      const pem = readFileSync(join(root, path), 'utf8');
      const wanted = { ...demandedFacts(demand), ...(name === 'cfssl' && demand.isAuthority ? ofCfssl : {}) };
      expect(certificateFacts(pem), id).toEqual(wanted);
      expect(daysLeft(pem), id).toBe(demand.validityDays);
    }
  });

  it('is trusted by openssl', () => {
    for (const [id, { issuer, extendedKeyUsage }, path] of certificates()) {
      const authority = join(root, pathOf(artifacts.get(issuer ?? id)));
      const purposes = { serverAuth: 'sslserver', clientAuth: 'sslclient' };
      for (const usage of extendedKeyUsage) {
        const args = [
          'verify',
          '-x509_strict',
          '-purpose',
          purposes[usage as keyof typeof purposes],
          '-CAfile',
          authority,
        ];
        expect(execFileSync('openssl', [...args, join(root, path)], { encoding: 'utf8' }), id).toContain(': OK');
      }
    }
  });

  it('has the modes that the description says', () => {
    const files = [...artifacts.values()].filter(({ id }) => id.startsWith('pki/'));
    expect(files).toHaveLength(22);
    for (const file of files) {
      const [mode, owner] = execFileSync('stat', ['-c', '0%a %U:%G', join(root, pathOf(file))], { encoding: 'utf8' })
        .trim()
        .split(' ');
      expect({ id: file.id, mode, owner }).toEqual({ id: file.id, mode: file.mode, owner: file.owner });
    }
  });

  it('is what every phase goes on with, and nothing is said about it', async () => {
    const phases = ['kubeconfig all', 'etcd local', 'control-plane all'];
    const runs = [
      ...phases.map((phase) => program('init', 'phase', ...phase.split(' '))),
      program('init', '--dry-run', '--skip-phases', 'certs,preflight'),
      program('init', 'phase', 'certs', 'all', '-o', 'json'),
      program('verify', 'certs', '-o', 'json'),
    ];
    const results = await onNode([`cp -a ${root}/etc/kubernetes/. /etc/kubernetes/`], runs);
    for (const [index, { code, stdout, stderr, changes }] of results.entries()) {
      expect({ run: runs[index]?.args, code, stderr }, stdout).toMatchObject({ code: 0, stderr: '' });
      expect(
        changes.filter((line) => line.includes('/pki/')),
        'nothing changes',
      ).toEqual([]);
    }
    const [again, verified] = results.slice(-2).map(({ stdout }) => JSON.parse(stdout) as PhasesDocument);
    expect(again?.phases.map(({ decision }) => decision)).toEqual(Array(11).fill('keep'));
    expect(verified?.phases.map(({ verdict }) => verdict)).toEqual(Array(11).fill('valid'));
    expect(findingsIn(results.at(-1))).toEqual([]);
  });
});

describe('the scripts', () => {
  const scripts = readdirSync(shellInstaller).filter((name) => /\.(?:sh|jq)$/.test(name));

  it('hold no fact about certificates', () => {
    const facts = new Set<string>();
    const places = [...artifacts.values()].filter(({ demands }) =>
      demands.some(({ certificate, key }) => certificate ?? key),
    );
    JSON.stringify(
      places.map(({ id, location, mode, owner, demands }) => [
        id,
        location,
        mode,
        owner,
        demands.map(({ certificate }) => certificate),
      ]),
      (_, value) => {
        if (typeof value === 'string' || typeof value === 'number') facts.add(String(value));
        return value;
      },
    );
    expect(facts.size).toBeGreaterThan(60);
    // A word of X.509 that cfssl has another word for.
    facts.delete('keyCertSign');
    // Kind of a location.
    facts.delete('file');
    expect(scripts.length).toBeGreaterThan(5);
    for (const name of scripts) {
      const code = readFileSync(join(shellInstaller, name), 'utf8').replaceAll(/^ *#.*$/gm, '');
      expect(
        [...facts].filter((fact) => code.includes(fact)),
        name,
      ).toEqual([]);
    }
  });

  it.each([
    ['a tool that is not there', ['--tool', 'vault', '--config', 'x']],
    ['no configuration', []],
    ['a flag without its value', ['--config']],
    ['kubeconfigs of cfssl', ['--kubeconfigs', '--tool', 'cfssl', '--config', 'x']],
  ])('refuse %s', (_, args) => {
    const { status, stderr, stdout } = spawnSync(join(shellInstaller, 'install.sh'), args, { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^install\.sh: .+\n$/);
  });
});

describe('a demand that is not met', () => {
  let good: string;
  beforeAll(async () => {
    good = await madeBy('good', makerCommand('openssl', '--kubeconfigs', descriptionFile));
  });

  /** The good files, but for some that are made again as a description has it that was changed. */
  function misled({ change, anew }: { readonly change: string; readonly anew: readonly string[] }): readonly string[] {
    return [
      `cp -a ${good}/etc/kubernetes/. /etc/kubernetes/`,
      ...anew.map((id) => `rm ${pathOf(artifacts.get(id))}`),
      `${makerCommand('openssl', '--kubeconfigs', changedDescription(change))} >made`,
      // Something was made.
      '[ -s made ]',
    ];
  }

  /** One about the file, with what is expected and what to do. */
  function expectFinding(
    result: PrivateResult | undefined,
    { artifact, code, severity, says }: Pick<Violation, 'artifact' | 'code' | 'severity' | 'says'>,
  ): void {
    const findings = findingsIn(result);
    const place = pathOf(artifacts.get(artifact));
    const found = findings.find((finding) => finding.code === code && finding.artifact === place);
    expect(found, JSON.stringify(findings)).toMatchObject({ severity });
    expect(`${found?.message}\n${found?.hint}`).toMatch(says);
  }

  const skipped = ['--skip-phases', 'certs,kubeconfig,preflight'];
  const refused = sampled(violations.filter(({ severity }) => severity === 'error'));
  const warned = sampled(violations.filter(({ severity }) => severity === 'warning'));

  it('is one of the description', () => {
    const demanded = [...artifacts.values()].filter(({ id }) => id.startsWith('pki/') || id.endsWith('.conf'));
    const rules = new Set(
      demanded.flatMap(({ demands }) =>
        demands.flatMap(({ code, severity }) => (code === undefined ? [] : [`${code} ${severity}`])),
      ),
    );
    for (const { name, artifact, code, severity } of violations) {
      expect(artifacts.get(artifact)?.demands, name).toContainEqual(expect.objectContaining({ code, severity }));
    }
    const violated = new Set(violations.map(({ code, severity }) => `${code} ${severity}`));
    expect([...rules].filter((rule) => !violated.has(rule)).toSorted()).toEqual(Object.keys(inviolable).toSorted());
  });

  it.each(refused)(
    '%s: init stops before its first write',
    async (_, { artifact, change, anew = [artifact], code, says }) => {
      const run = program('init', ...skipped, '-o', 'json');
      const [result] = await onNode(misled({ change, anew }), [run]);
      expect(result?.code, result?.stderr).toBe(3);
      expect(result?.changes).toEqual([]);
      expect(result?.stderr).toContain(pathOf(artifacts.get(artifact)));
      expect(result?.stderr).toMatch(says);
      expectFinding(result, { artifact, code, severity: 'error', says });
    },
  );

  it.each(warned)('%s: verify warns', async (_, { artifact, change, anew = [artifact], code, says }) => {
    const run = program('verify', artifact.endsWith('.conf') ? 'kubeconfig' : 'certs', '-o', 'json');
    const [result] = await onNode(misled({ change, anew }), [run]);
    expect(result?.code, result?.stderr).toBe(0);
    expectFinding(result, { artifact, code, severity: 'warning', says });
  });

  it.each(sampled(liberties))('is not %s', async (_, { change, anew = [] }) => {
    const runs = ['certs', 'kubeconfig'].map((phases) => program('verify', phases, '-o', 'json'));
    for (const result of await onNode(misled({ change, anew }), runs)) {
      expect(result.code, result.stderr).toBe(0);
      expect(findingsIn(result)).toEqual([]);
    }
  });
});

describe('a certificate that must not outlive its issuer', () => {
  it.each(['openssl', 'cfssl'] as const)('ends with it when %s makes it', async (tool) => {
    const leaf = pathOf(artifacts.get('pki/front-proxy-client.crt'));
    const change = 'certificate("pki/front-proxy-client.crt") |= (.notLongerThanIssuer = true | .validityDays = 9999)';
    const changed = changedDescription(change);
    const root = await madeBy(`bounded-by-${tool}`, `PATH=${components}:$PATH ${makerCommand(tool, changed)}`);
    const end = (path: string) => new X509Certificate(readFileSync(join(root, path))).validToDate.getTime();
    const authority = end(pathOf(artifacts.get('pki/front-proxy-ca.crt')));
    expect(end(leaf)).toBeLessThanOrEqual(authority);
    // cfssl counts hours.
    expect(end(leaf)).toBeGreaterThan(authority - 2 * 3_600_000);
  });
});
