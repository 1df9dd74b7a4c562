import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const kubeadm = process.env.GROUNDPLANE_KUBEADM;
const ours = fileURLToPath(new URL('../dist/bin/kubeadm.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'groundplane-output-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Names in certificates are said by kubeadm only. */
const extra = /serving cert is signed for/;

/** What a program prints for a phase, in a folder of its own whose path is left out. */
function lines(
  program: 'peer' | 'ours',
  words: readonly string[],
): { readonly status: number | null; readonly lines: readonly string[] } {
  const own = join(folder, program);
  const command = program === 'peer' ? [kubeadm ?? ''] : [process.execPath, ours];
  const [executable = '', ...first] = command;
  const args = [...first, ...words.map((word) => word.replace('FOLDER', own))];
  const { status, stdout } = spawnSync(executable, args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: own, GROUNDPLANE_STATE_DIR: own },
  });
  return {
    status,
    lines: stdout
      .replaceAll(own, 'FOLDER')
      .split('\n')
      .filter((line) => !extra.test(line)),
  };
}

const pki = '--cert-dir=FOLDER/pki';
const kubernetes = '--kubernetes-version=v1.37.2';

describe('prints what the real kubeadm prints', () => {
  it.each([
    ['one new certificate authority', ['init', 'phase', 'certs', 'front-proxy-ca', pki, kubernetes]],
    ['all certificates, one of them there', ['init', 'phase', 'certs', 'all', pki, kubernetes]],
    ['all certificates again', ['init', 'phase', 'certs', 'all', pki, kubernetes]],
    ['the service account keys again', ['init', 'phase', 'certs', 'sa', pki, kubernetes]],
    ['all kubeconfig files', ['init', 'phase', 'kubeconfig', 'all', pki, '--kubeconfig-dir=FOLDER', kubernetes]],
    ['one kubeconfig file again', ['init', 'phase', 'kubeconfig', 'admin', pki, '--kubeconfig-dir=FOLDER', kubernetes]],
    ['the short version', ['version', '-o', 'short']],
  ])('%s', (_, words) => {
    const peer = lines('peer', words);
    expect(peer.status).toBe(0);
    expect(lines('ours', words)).toEqual(peer);
  });

  it('shapes the version alike', () => {
    const shape = (program: 'peer' | 'ours') => {
      const { lines: printed } = lines(program, ['version', '-o', 'json']);
      return Object.keys(JSON.parse(printed.join('\n')).clientVersion);
    };
    expect(shape('ours')).toEqual(shape('peer'));
    const fields = (program: 'peer' | 'ours') => lines(program, ['version']).lines[0]?.match(/\w+(?=:")/g);
    expect(fields('ours')).toEqual(fields('peer'));
  });
});
