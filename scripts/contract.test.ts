import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const page = readFileSync(new URL('../docs/contract.md', import.meta.url), 'utf8');

describe('the commands of docs/contract.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'groundplane-contract-'));
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

  beforeAll(() => {
    const own = ['-addext', 'basicConstraints=critical,CA:TRUE', '-addext', 'keyUsage=critical,keyCertSign'];
    writeFileSync(join(folder, 'openssl.cnf'), '[req]\ndistinguished_name=dn\n[dn]\n');
    openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', 'ca.key');
    openssl(
      'req',
      '-x509',
      '-new',
      '-config',
      'openssl.cnf',
      '-key',
      'ca.key',
      '-subj',
      '/CN=kubernetes',
      ...own,
      '-out',
      'ca.crt',
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('make the certificate that the page demands', () => {
    const [, commands = ''] = /```sh\n([\s\S]*?)```/.exec(page) ?? [];
    expect(commands).toContain('openssl x509 -req');
    execFileSync('sh', ['-eu'], {
      cwd: folder,
      input: commands.replace(/^cd .*$/m, ''),
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    expect(openssl('verify', '-CAfile', 'ca.crt', '-purpose', 'sslserver', 'apiserver.crt')).toContain('OK');
    expect(openssl('x509', '-noout', '-pubkey', '-in', 'apiserver.crt')).toBe(
      openssl('pkey', '-pubout', '-in', 'apiserver.key'),
    );
    const demanded = /### certs\/apiserver\n[\s\S]*?subject alternative names (.*?);/.exec(page)?.[1];
    const names = openssl('x509', '-noout', '-ext', 'subjectAltName', '-in', 'apiserver.crt').split('\n')[1] ?? '';
    expect(names.trim().replaceAll('IP Address:', 'IP:')).toBe(demanded);
    expect(readFileSync(join(folder, 'apiserver.key'), 'utf8')).toMatch(/^-----BEGIN RSA PRIVATE KEY-----/);
  });
});

const program = new URL('../packages/cli/dist/bin/groundplane.js', import.meta.url).pathname;
const printed = (...args: readonly string[]) =>
  JSON.parse(execFileSync(process.execPath, [program, ...args, '-o', 'json'], { encoding: 'utf8', cwd: '/' }));

describe.each(['init', 'join', 'reset'])('%s', (workflow) => {
  const [section = ''] = page.split(`\n## ${workflow}\n`)[1]?.split('\n## ') ?? [];

  test('has a section for each phase', () => {
    const { phases } = printed('phases', 'list', '--workflow', workflow) as { phases: readonly { phase: string }[] };
    expect(phases.filter(({ phase }) => !section.includes(`\n### ${phase}\n`))).toEqual([]);
  });

  test('the documents of the page say what the data say', () => {
    const { phases } = printed('phases', 'describe', '--workflow', workflow) as Described;
    const uses = phases.flatMap(({ reads, writes, amends }) => [...reads, ...writes, ...amends]);
    const wanted = uses.flatMap(({ demands }) => demands.flatMap(({ document }) => document ?? []));
    const blocks = [...section.matchAll(/^ {2}```yaml\n([\s\S]*?)^ {2}```$/gm)].map(([, text = '']) => parse(text));
    expect(blocks).toEqual(wanted);
  });
});

interface Described {
  readonly phases: readonly Readonly<
    Record<'reads' | 'writes' | 'amends', readonly { readonly demands: readonly { readonly document?: unknown }[] }[]>
  >[];
}
