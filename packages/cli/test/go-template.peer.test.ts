import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '@groundplane/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseGoTemplate } from '../src/render/go-template/parse-go-template.ts';
import { printGoTemplate } from '../src/render/go-template/print-go-template.ts';
import { anyObjectRows, certificateRows, imageRows } from './go-template-table.ts';
import { programIn } from './program-call.ts';

const kubeadm = process.env.GROUNDPLANE_KUBEADM ?? '';
const folder = mkdtempSync(join(tmpdir(), 'groundplane-go-template-'));
afterAll(() => rmSync(folder, { recursive: true }));

const version = '--kubernetes-version=v1.37.2';
const configuration = join(folder, 'config.yaml');
/** Tags that say nothing in a registry and much in an escaper. */
writeFileSync(
  configuration,
  `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
certificatesDir: ${folder}/pki
etcd: {local: {imageTag: "é\\"'<&>= \`\\t\\x01日😀"}}
`,
);

function peer(words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(kubeadm, words, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder },
  });
  return { succeeds: status === 0, stdout, stderr };
}

/** What a template prints, or why it does not. */
function ours(template: string, data: unknown, allowMissingKeys: boolean) {
  try {
    return { stdout: printGoTemplate(parseGoTemplate(template), data, { allowMissingKeys }) };
  } catch (thrown) {
    return { reason: messageOf(thrown) };
  }
}

const objects = [
  ['images', ['config', 'images', 'list', version], [...anyObjectRows, ...imageRows]],
  ['images with an odd tag', ['config', 'images', 'list', `--config=${configuration}`], imageRows],
  ['certificates', ['certs', 'check-expiration', `--config=${configuration}`], certificateRows],
] as const;

describe.each(objects)('templates print what the real kubeadm prints: %s', (_, words, rows) => {
  let data: unknown;
  beforeAll(() => {
    peer(['init', 'phase', 'certs', 'ca', `--config=${configuration}`]);
    peer(['init', 'phase', 'certs', 'apiserver', `--config=${configuration}`]);
    const { stdout, stderr } = peer([...words, '-o=json']);
    expect(stderr).toBe('');
    data = JSON.parse(stdout);
  });

  describe.each([true, false])('missing keys allowed: %s', (allows) => {
    it.each(rows)('%s', (_name, template) => {
      const real = peer([...words, `--allow-missing-template-keys=${allows}`, `-o=go-template=${template}`]);
      const printed = ours(template, data, allows);
      if (real.succeeds) expect(printed).toEqual({ stdout: real.stdout });
      else {
        expect(printed.stdout).toBeUndefined();
        expect(real.stderr.split('\nTo see the stack trace')[0]).toMatch(/^error: /);
        expect(real.stderr).toContain(`${printed.reason}\n`);
      }
    });
  });
});

describe('the command prints what the real kubeadm prints', () => {
  const call = programIn(() => folder);
  const file = join(folder, 'template');
  writeFileSync(file, '{{range .images}}{{.}}\n{{end}}');

  it.each([
    ['go-template', ['-o', 'go-template={{range .images}}{{.}};{{end}}']],
    ['template', ['-o', 'template={{.kind}}={{len .images}}']],
    ['go-template-file', ['-o', `go-template-file=${file}`]],
    ['templatefile', ['-o', `templatefile=${file}`]],
    ['a file that is not there', ['-o', 'go-template-file=/nonexistent']],
    ['no template', ['-o', 'go-template']],
    ['an empty template', ['-o', 'go-template=']],
    ['a template that does not parse', ['-o', 'go-template={{.images}']],
    ['a template that does not fit', ['-o', 'go-template={{.images.x}}']],
    ['a key that is not there', ['-o', 'go-template={{.x}}']],
    ['a key that must be there', ['-o', 'go-template={{.x}}', '--allow-missing-template-keys=false']],
    ['a format by another case', ['-o', 'Go-Template={{.kind}}']],
  ])('%s', (_, words) => {
    const all = ['config', 'images', 'list', version, ...words];
    const real = peer(all);
    const { status, stdout, stderr } = call('kubeadm', all);
    expect(status === 0, stderr).toBe(real.succeeds);
    // Where a template does not fit, kubeadm prints what it knows of it, for its own authors.
    expect(stdout).toBe(real.succeeds ? real.stdout : '');
    if (!real.succeeds) expect(stderr).toMatch(/^error: (could not construct output printer|unable to print images): /);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
