import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentErrors, lineErrors, lineTypes, schemaErrors } from '../packages/cli/test/output-validator.ts';
import { type InstalledPrograms, installPrograms } from './installed-programs.ts';
import { type RbacCluster, startRbacCluster } from './rbac-cluster.ts';
import { runProgram } from './run-program.ts';

/** What commands print that do nothing without a cluster. */
let cluster: RbacCluster;
let programs: InstalledPrograms;
let folder = '';
let admin = '';
beforeAll(async () => {
  [cluster, programs] = await Promise.all([
    startRbacCluster(process.env.GROUNDPLANE_COMPONENTS ?? ''),
    installPrograms(),
  ]);
  folder = mkdtempSync(join(tmpdir(), 'documents-'));
  admin = join(cluster.api.directory, 'admin.conf');
  writeFileSync(admin, cluster.api.kubeconfig('superAdmin'));
  writeFileSync(join(folder, 'init.yaml'), initConfiguration);
});
afterAll(async () => {
  await cluster?.stop();
  programs?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const token = 'abcdef.0123456789abcdef';
const initConfiguration = `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
bootstrapTokens:
  - token: ghijkl.0123456789abcdef
localAPIEndpoint: { advertiseAddress: 192.0.2.10 }
nodeRegistration: { name: node-a, criSocket: 'unix:///nowhere.sock' }
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
`;

async function called(line: string, { as = 'groundplane' }: { readonly as?: 'groundplane' | 'kubeadm' } = {}) {
  const program = as === 'kubeadm' ? programs.ours : programs.groundplane;
  const env = { PATH: process.env.PATH, HOME: folder, GROUNDPLANE_STATE_DIR: folder };
  const ended = await runProgram(program, [...line.split(' '), `--kubeconfig=${admin}`], { cwd: folder, env });
  expect(ended.code, ended.stderr).toBe(0);
  return ended.stdout;
}

describe('tokens', () => {
  it.each(['json', 'jsonl'])('are created, listed and deleted: -o %s', async (format) => {
    const errors = format === 'json' ? documentErrors : lineErrors;
    const created = await called(`token create ${token} -o ${format}`);
    expect(errors(['token-create'], created)).toEqual([]);
    expect(JSON.parse(created).token).toBe(token);
    const command = await called(`token create --print-join-command --description x -o ${format}`);
    expect(errors(['token-create'], command)).toEqual([]);
    const other = JSON.parse(command).token;
    expect(JSON.parse(command).joinCommand).toContain(other);

    const listed = await called(`token list -o ${format}`);
    expect(errors(['token-list'], listed)).toEqual([]);
    const objects =
      format === 'json'
        ? JSON.parse(listed).tokens
        : listed
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line));
    expect(objects.map((object: { readonly token: string }) => object.token).toSorted()).toEqual(
      [token, other].toSorted(),
    );

    const deleted = await called(`token delete ${token} ${other} -o ${format}`);
    expect(errors(['token-delete'], deleted)).toEqual([]);
    expect(JSON.parse(deleted).deleted).toEqual(['abcdef', other.slice(0, 6)]);
    const empty = await called(`token list -o ${format}`);
    expect(errors(['token-list'], empty)).toEqual([]);
    expect(lineTypes(format === 'jsonl' ? empty : '')).toEqual([]);
  });

  it('are listed by kubeadm one after another, as it does', async () => {
    await called(`token create ${token}`);
    await called('token create klmnop.0123456789abcdef');
    const documents = (await called('token list -o json', { as: 'kubeadm' }))
      .split(/(?<=^\})\n/m)
      .filter((text) => text !== '');
    expect(documents).toHaveLength(2);
    for (const document of documents) expect(documentErrors(['token-list'], document)).toEqual([]);
    await called(`token delete ${token} klmnop`);
  });
});

it('roles are compared with a cluster', async () => {
  const document = await called('rbac list -o json');
  expect(documentErrors(['rbac-list'], document)).toEqual([]);
  expect(JSON.parse(document).grants.every((grant: { readonly drift?: unknown }) => Array.isArray(grant.drift))).toBe(
    true,
  );
  expect(lineErrors(['rbac-list'], await called('rbac list -o jsonl'))).toEqual([]);
});

it('what a phase hands back is told, and marked as secret', async () => {
  const phase = `init phase bootstrap-token --config=${join(folder, 'init.yaml')}`;
  const first = await called(`${phase} -o jsonl`);
  expect(lineErrors(['event'], first)).toEqual([]);
  const results = first.split('\n').filter((line) => line.includes('"type":"result"'));
  expect(results.map((line) => JSON.parse(line))).toMatchObject([
    { phase: 'bootstrap-token', name: 'bootstrapToken', value: 'ghijkl.0123456789abcdef', secret: true },
  ]);
  const again = JSON.parse(await called(`${phase} -o json`));
  expect(schemaErrors(['run'], again)).toEqual([]);
  expect(again.phases).toContainEqual(expect.objectContaining({ phase: 'bootstrap-token', decision: 'keep' }));
  expect(again.results).toMatchObject([{ name: 'bootstrapToken', secret: true }]);
});
