import { execFileSync } from 'node:child_process';
import { groundplaneDirectory, type Machine, succeeding } from '@groundplane/testbed';

/** A private key or the certificate of a CA, and its public key: SPKI in base64. */
export interface FoundKey {
  readonly kind: 'private key' | 'authority';
  readonly path: string;
  readonly publicKey: string;
}

/** Reads every file up to 4 MiB below the folders in its arguments, whatever it is called: PEM, PEM in base64, DER. */
const search = `
const { createPrivateKey, createPublicKey, X509Certificate } = require('node:crypto');
const { lstatSync, readdirSync, readFileSync } = require('node:fs');
const spki = (key) => key.export({ type: 'spki', format: 'der' }).toString('base64');
const say = (kind, path, publicKey) => process.stdout.write(JSON.stringify({ kind, path, publicKey }) + '\\n');
const attempt = (make) => { try { return make(); } catch { return undefined; } };
function inText(path, text) {
  for (const [pem, label] of text.matchAll(/-----BEGIN ([A-Z ]*)-----[^-]+-----END \\1-----/g)) {
    if (label.endsWith('PRIVATE KEY')) {
      const key = attempt(() => createPublicKey(createPrivateKey(pem)));
      say('private key', path, key === undefined ? 'unreadable' : spki(key));
    } else if (label === 'CERTIFICATE') {
      const certificate = attempt(() => new X509Certificate(pem));
      if (certificate?.ca) say('authority', path, spki(certificate.publicKey));
    }
  }
  for (const [data] of text.matchAll(/LS0tLS1CRUdJTi[A-Za-z0-9+\\/]+=*/g)) inText(path, Buffer.from(data, 'base64').toString('latin1'));
}
function inFile(path) {
  const bytes = attempt(() => readFileSync(path));
  if (bytes === undefined) return;
  inText(path, bytes.toString('latin1'));
  if (bytes[0] !== 0x30 || bytes.length > 8192) return;
  for (const type of ['pkcs8', 'pkcs1', 'sec1']) {
    const key = attempt(() => createPublicKey(createPrivateKey({ key: bytes, format: 'der', type })));
    if (key !== undefined) say('private key', path, spki(key));
  }
}
function below(folder) {
  for (const entry of attempt(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
    const path = folder.replace(/\\/$/, '') + '/' + entry.name;
    if (entry.isDirectory() && !['/proc', '/sys', '/dev'].includes(path)) below(path);
    else if (entry.isFile() && (attempt(() => lstatSync(path))?.size ?? Infinity) <= 4 * 2 ** 20) inFile(path);
  }
}
for (const folder of process.argv.slice(1)) below(folder);
`;

const found = (text: string): readonly FoundKey[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as FoundKey);

/** In the whole file system of a machine that has our archive. */
export async function keysOnMachine(machine: Machine): Promise<readonly FoundKey[]> {
  const node = `${groundplaneDirectory}/lib/node`;
  return found((await succeeding(machine, [node, '-e', search, '/'], { timeoutMs: 120_000 })).stdout);
}

/** Below a folder of this host. */
export function keysBelow(folder: string): readonly FoundKey[] {
  return found(execFileSync(process.execPath, ['-e', search, folder], { encoding: 'utf8' }));
}

/** Private keys that are those of CAs. */
export function authorityKeys(keys: readonly FoundKey[], authorities: readonly FoundKey[]): readonly FoundKey[] {
  const known = new Set(authorities.filter(({ kind }) => kind === 'authority').map(({ publicKey }) => publicKey));
  return keys.filter(({ kind, publicKey }) => kind === 'private key' && known.has(publicKey));
}
