import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What a step-ca is given, and what its users need: a root, an intermediate that signs, and a provisioner of type JWK. */
export interface StepAuthorityFiles {
  /** `https://127.0.0.1:41235` */
  readonly url: string;
  /** Path of the root's certificate. */
  readonly rootFile: string;
  /** SHA-256 of it in hexadecimal. */
  readonly fingerprint: string;
  readonly provisioner: string;
  readonly passwordFile: string;
  readonly password: string;
  /** Of the provisioner's key: its id, and the private number in base64url. */
  readonly key: { readonly id: string; readonly secret: string };
}

/** A real step-ca. */
export interface StepAuthority extends StepAuthorityFiles {
  /** All that it has said so far. */
  log(): string;
  stop(): Promise<void>;
}

export interface StepAuthorityOptions {
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
function groundplaneTemplate(): string {
  const readme = readFileSync(new URL('../plugins/signer-step/README.md', import.meta.url), 'utf8');
  const [, template] = /^```json\n(\{.*?)```$/ms.exec(readme) ?? [];
  if (template === undefined) throw new Error('the README of the plugin has no template');
  return template;
}

/** Starts one on this host, and waits until it answers. */
export async function startStepAuthority({
  program,
  ...options
}: StepAuthorityOptions & { readonly program: string }): Promise<StepAuthority> {
  const { folder } = options;
  const port = await freePort();
  const files = await makeStepAuthority({ ...options, host: '127.0.0.1', port });
  const server = spawn(program, [join(folder, 'ca.json')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { HOME: folder },
  });
  let log = '';
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (part) => (log += part));
  await untilListening(server, port, () => log);
  return {
    ...files,
    log: () => log,
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    },
  };
}

export interface StepAuthorityPlace {
  /** Under which it is asked, and to which it listens. */
  readonly host: string;
  readonly port: number;
  /** Where the folder is when it runs. @default where it is made */
  readonly place?: string;
}

/** Makes all that `step-ca ca.json` needs in its folder. */
export async function makeStepAuthority(
  options: StepAuthorityOptions & StepAuthorityPlace,
): Promise<StepAuthorityFiles> {
  const { folder, name, host, port } = options;
  mkdirSync(folder, { recursive: true });
  makeChain(folder, name);
  const password = `correct horse ${name} ${Math.random().toString(36).slice(2)}`;
  const passwordFile = join(folder, 'password');
  // An editor ends a file with a line break.
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  const key = await provisionerKey(password);
  writeFileSync(join(folder, 'ca.json'), JSON.stringify(settings(options, key), undefined, 2));
  const fingerprint = openssl(['x509', '-in', join(folder, 'root.crt'), '-noout', '-fingerprint', '-sha256'], folder)
    .replace(/.*=/s, '')
    .replaceAll(/[:\s]/g, '')
    .toLowerCase();
  return {
    url: `https://${host}:${port}`,
    rootFile: join(folder, 'root.crt'),
    fingerprint,
    provisioner: 'groundplane',
    passwordFile,
    password,
    key: { id: key.id, secret: key.secret },
  };
}

type ProvisionerKey = Awaited<ReturnType<typeof provisionerKey>>;

function settings(
  {
    folder,
    host,
    port,
    place = folder,
    template = groundplaneTemplate(),
    maximum = '87600h',
  }: StepAuthorityOptions & StepAuthorityPlace,
  { id, key, encryptedKey }: ProvisionerKey,
) {
  return {
    root: join(place, 'root.crt'),
    crt: join(place, 'intermediate.crt'),
    key: join(place, 'intermediate.key'),
    address: `${host}:${port}`,
    dnsNames: [host],
    logger: { format: 'json' },
    db: { type: 'badgerv2', dataSource: join(place, 'db') },
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
  const sealed = { ...privateKey.export({ format: 'jwk' }), use: 'sig', kid: id, alg: 'ES256' };
  const encryptedKey: string = await new jose.CompactEncrypt(new TextEncoder().encode(JSON.stringify(sealed)))
    .setProtectedHeader({ alg: 'PBES2-HS256+A128KW', enc: 'A256GCM', cty: 'jwk+json' })
    .setKeyManagementParameters({ p2c: 600_000 })
    .encrypt(new TextEncoder().encode(password));
  return { id, key, encryptedKey, secret: sealed.d ?? '' };
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
