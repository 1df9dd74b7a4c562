import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A real step-ca with a root, an intermediate that signs, and a provisioner of type JWK. */
export interface StepAuthority {
  /** `https://127.0.0.1:41235` */
  readonly url: string;
  /** Path of the root's certificate. */
  readonly rootFile: string;
  /** SHA-256 of it in hexadecimal. */
  readonly fingerprint: string;
  readonly provisioner: string;
  readonly passwordFile: string;
  readonly password: string;
  /** All that it has said so far. */
  log(): string;
  stop(): Promise<void>;
}

export interface StepAuthorityOptions {
  readonly program: string;
  /** A folder of its own. */
  readonly folder: string;
  /** Common names of its CAs begin with it. */
  readonly name: string;
  /** Template of its certificates. @default the one of the plugin's README */
  readonly template?: string;
  /** @default 87600h */
  readonly maximum?: string;
}

/** The template that the plugin asks for: what the token says, no more. */
export const groundplaneTemplate = `{
  "subject": {"commonName": {{ toJson .Subject.CommonName }}, "organization": {{ toJson .Token.groundplane.organizations }}},
  "sans": {{ toJson .Token.groundplane.sans }},
  "keyUsage": {{ toJson .Token.groundplane.keyUsages }},
  "extKeyUsage": {{ toJson .Token.groundplane.extendedKeyUsages }}
}`;

/** Starts one, and waits until it answers. */
export async function startStepAuthority(options: StepAuthorityOptions): Promise<StepAuthority> {
  const { program, folder, name } = options;
  mkdirSync(folder, { recursive: true });
  makeChain(folder, name);
  const password = `correct horse ${name} ${Math.random().toString(36).slice(2)}`;
  const passwordFile = join(folder, 'password');
  // An editor ends a file with a line break.
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  const port = await freePort();
  const url = `https://127.0.0.1:${port}`;
  writeFileSync(join(folder, 'ca.json'), JSON.stringify(await settings(options, port, password), undefined, 2));
  const server = spawn(program, [join(folder, 'ca.json')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { HOME: folder },
  });
  let log = '';
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (part) => (log += part));
  await untilListening(server, port, () => log);
  const fingerprint = openssl(['x509', '-in', join(folder, 'root.crt'), '-noout', '-fingerprint', '-sha256'], folder)
    .replace(/.*=/s, '')
    .replaceAll(/[:\s]/g, '')
    .toLowerCase();
  return {
    url,
    rootFile: join(folder, 'root.crt'),
    fingerprint,
    provisioner: 'groundplane',
    passwordFile,
    password,
    log: () => log,
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    },
  };
}

async function settings(
  { folder, template = groundplaneTemplate, maximum = '87600h' }: StepAuthorityOptions,
  port: number,
  password: string,
) {
  const { id, key, encryptedKey } = await provisionerKey(password);
  return {
    root: join(folder, 'root.crt'),
    crt: join(folder, 'intermediate.crt'),
    key: join(folder, 'intermediate.key'),
    address: `127.0.0.1:${port}`,
    dnsNames: ['127.0.0.1'],
    logger: { format: 'json' },
    db: { type: 'badgerv2', dataSource: join(folder, 'db') },
    authority: {
      provisioners: [
        { type: 'ACME', name: 'other' },
        {
          type: 'JWK',
          name: 'groundplane',
          key: { ...key, use: 'sig', kid: id, alg: 'ES256' },
          encryptedKey,
          claims: { minTLSCertDuration: '1m', maxTLSCertDuration: maximum, defaultTLSCertDuration: '24h' },
          options: { x509: { template } },
        },
      ],
    },
  };
}

/** As `step` makes one: P-256, sealed with PBES2-HS256+A128KW and A256GCM. */
async function provisionerKey(password: string) {
  const jose = await import(
    pathToFileURL(createRequire(new URL('../plugins/signer-step/package.json', import.meta.url)).resolve('jose')).href
  );
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = publicKey.export({ format: 'jwk' });
  const id: string = await jose.calculateJwkThumbprint(key);
  const secret = { ...privateKey.export({ format: 'jwk' }), use: 'sig', kid: id, alg: 'ES256' };
  const encryptedKey: string = await new jose.CompactEncrypt(new TextEncoder().encode(JSON.stringify(secret)))
    .setProtectedHeader({ alg: 'PBES2-HS256+A128KW', enc: 'A256GCM', cty: 'jwk+json' })
    .setKeyManagementParameters({ p2c: 600_000 })
    .encrypt(new TextEncoder().encode(password));
  return { id, key, encryptedKey };
}

function makeChain(folder: string, name: string): void {
  const extensions = (lines: readonly string[]) => lines.flatMap((line) => ['-addext', line]);
  const key = (file: string) => openssl(['ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', file], folder);
  key('root.key');
  key('intermediate.key');
  const authority = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign,cRLSign,digitalSignature'];
  const days = ['-days', '7300'];
  openssl(
    [
      'req',
      '-x509',
      '-new',
      '-key',
      'root.key',
      '-subj',
      `/CN=Root of ${name}`,
      '-out',
      'root.crt',
      ...days,
      ...extensions(authority),
    ],
    folder,
  );
  openssl(
    ['req', '-new', '-key', 'intermediate.key', '-subj', `/CN=Intermediate of ${name}`, '-out', 'intermediate.csr'],
    folder,
  );
  writeFileSync(
    join(folder, 'extensions'),
    'basicConstraints=critical,CA:TRUE,pathlen:0\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n',
  );
  openssl(
    [
      'x509',
      '-req',
      '-in',
      'intermediate.csr',
      '-CA',
      'root.crt',
      '-CAkey',
      'root.key',
      '-CAcreateserial',
      '-out',
      'intermediate.crt',
      ...days,
      '-extfile',
      'extensions',
    ],
    folder,
  );
}

function openssl(args: readonly string[], cwd: string): string {
  return execFileSync('openssl', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}

async function untilListening(server: ChildProcess, port: number, log: () => string): Promise<void> {
  const { connect } = await import('node:net');
  for (let attempt = 0; attempt < 300; attempt++) {
    if (server.exitCode !== null) throw new Error(`step-ca ended with ${server.exitCode}: ${log()}`);
    const socket = connect(port, '127.0.0.1');
    const answer = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(
        () => false,
        () => false,
      ),
    ]).catch(() => false);
    socket.destroy();
    if (answer) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`step-ca does not listen: ${log()}`);
}

/** Text of a file of an authority. */
export function authorityText(path: string): string {
  return readFileSync(path, 'utf8');
}
