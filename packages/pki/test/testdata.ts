import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../testdata/', import.meta.url));

/** Path of a file that testdata/make.sh made. */
export function testdataPath(name: string): string {
  return join(folder, name);
}

/** Text of a file that testdata/make.sh made. */
export function testdata(name: string): string {
  return readFileSync(testdataPath(name), 'utf8');
}

/** Standard output of openssl, which is fed `input`. */
export function openssl(args: readonly string[], input = ''): string {
  return execFileSync('openssl', args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
}

/** Runs `use` with paths of files that hold the given texts. */
export function withFiles<K extends string, R>(
  texts: Readonly<Record<K, string>>,
  use: (paths: Record<K, string>) => R,
): R {
  const directory = mkdtempSync(join(tmpdir(), 'pki-'));
  try {
    const entries = Object.entries<string>(texts).map(([name, text]) => {
      const path = join(directory, name);
      writeFileSync(path, text);
      return [name, path];
    });
    return use(Object.fromEntries(entries) as Record<K, string>);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The facts of a usual node. */
export const usualFacts = {
  nodeName: 'node-a',
  advertiseAddress: '192.0.2.10',
  dnsDomain: 'cluster.local',
  serviceSubnet: '10.96.0.0/12',
  apiServerCertSANs: [],
  etcdServerCertSANs: [],
  etcdPeerCertSANs: [],
} as const;
