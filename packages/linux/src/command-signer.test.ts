import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CertificateOrder } from '@groundplane/bootstrap';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandSignerOptions, commandSigner } from './index.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'command-signer-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const order: CertificateOrder = {
  name: 'apiserver',
  request: '-----BEGIN CERTIFICATE REQUEST-----\nMA==\n-----END CERTIFICATE REQUEST-----\n',
  authority: '-----BEGIN CERTIFICATE-----\nQ0E=\n-----END CERTIFICATE-----\n',
  issuer: 'ca',
  profile: {
    commonName: 'kube-apiserver',
    organizations: ['one'],
    dnsNames: ['kubernetes'],
    ipAddresses: ['192.0.2.10'],
    keyUsages: ['digitalSignature', 'keyEncipherment'],
    extendedKeyUsages: ['serverAuth'],
    isCA: false,
    notBefore: new Date('2026-01-01T00:00:00.123Z'),
    notAfter: new Date('2027-01-01T00:00:00Z'),
  },
};
const one = '-----BEGIN CERTIFICATE-----\nT25l\n-----END CERTIFICATE-----';
const two = '-----BEGIN CERTIFICATE-----\nVHdv\n-----END CERTIFICATE-----';

const signer = (script: string, more: Partial<CommandSignerOptions> = {}) =>
  commandSigner({ command: ['sh', '-c', script, 'sh', folder], ...more });

test('the command is told what to sign on its standard input, and of the environment what is harmless', async () => {
  const environment = {
    PATH: process.env.PATH,
    HOME: '/root',
    LC_ALL: 'C',
    VAULT_TOKEN: 'secret',
    HTTPS_PROXY: 'secret',
  };
  const asked = signer(`cat > "$1/asked"; env > "$1/environment"; echo '${one}'`, {
    environment,
    node: () => 'node-a',
  });
  await expect(asked.sign(order)).resolves.toBe(`${one}\n`);
  const { authority, profile } = order;
  const { commonName, organizations, dnsNames, ipAddresses } = profile;
  expect(JSON.parse(readFileSync(join(folder, 'asked'), 'utf8'))).toEqual({
    apiVersion: 'groundplane.dev/v1alpha1',
    kind: 'SigningRequest',
    csr: order.request,
    profile: {
      artifact: 'apiserver',
      node: 'node-a',
      issuer: 'ca',
      ...{ commonName, organizations, dnsNames, ipAddresses },
      keyUsage: ['digitalSignature', 'keyEncipherment'],
      extendedKeyUsage: ['serverAuth'],
      isAuthority: false,
      validity: { notBefore: '2026-01-01T00:00:00Z', notAfter: '2027-01-01T00:00:00Z' },
    },
    authority,
  });
  const variables = readFileSync(join(folder, 'environment'), 'utf8')
    .split('\n')
    .map((line) => line.split('=')[0] ?? '')
    .filter((name) => name !== '' && !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name));
  expect(variables.sort()).toEqual(['HOME', 'LC_ALL', 'PATH']);
});

test('a chain is taken as it is, without text around the blocks and line ends of Windows', async () => {
  const text = `Certificate:\n  Data: x\n${one}\nbetween\n${two.replaceAll('\n', '\r\n')}\nafter\n`;
  writeFileSync(join(folder, 'chain'), text);
  await expect(signer('cat "$1/chain"').sign(order)).resolves.toBe(`${one}\n${two}\n`);
});

describe('what goes wrong is said', () => {
  const key = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIO\n-----END EC PRIVATE KEY-----';
  test.each<[string, string, Partial<CommandSignerOptions>, string]>([
    [
      'it fails',
      'echo first >&2; echo "no route" >&2; exit 7',
      {},
      'it ended with exit code 7; it said: first | no route',
    ],
    ['it fails and says nothing', 'exit 1', {}, 'it ended with exit code 1, and said nothing'],
    ['it dies', 'kill -SEGV $$', {}, 'it was killed: SIGSEGV, and said nothing'],
    [
      'it is slow',
      'echo waiting >&2; exec sleep 60',
      { timeoutMs: 300 },
      'it did not end within 0.3 s; it said: waiting',
    ],
    ['it prints nothing', 'true', {}, 'it printed no certificate in PEM: 0 characters, and said nothing'],
    ['it prints garbage', 'echo garbage', {}, 'it printed no certificate in PEM: 8 characters, and said nothing'],
    [
      'it prints half a block',
      `printf '%s' '${one.slice(0, -3)}'`,
      {},
      'it printed no certificate in PEM: 55 characters, and said nothing',
    ],
    [
      'it prints a key',
      `echo '${one}'; echo '${key}'`,
      {},
      'it printed something else than certificates: EC PRIVATE KEY',
    ],
    ['it prints without end', 'exec yes', {}, 'it printed more than 262144 bytes, and said nothing'],
    [
      'it shows a key',
      `echo 'the key: ${key}' >&2; exit 1`,
      {},
      'it ended with exit code 1; it said: the key: <key withheld>',
    ],
    [
      'it shows a token',
      'echo abcdef.0123456789abcdef >&2; exit 1',
      {},
      'it ended with exit code 1; it said: <token withheld>',
    ],
    [
      'it plays with the terminal',
      `printf '\\033[2Jred\\n' >&2; exit 1`,
      {},
      'it ended with exit code 1; it said: \\u{1b}[2Jred',
    ],
  ])('%s', async (_, script, more, message) => {
    await expect(signer(script, more).sign(order)).rejects.toThrow(new Error(message));
  });

  test('there is no such program, or it is none', async () => {
    const command = [join(folder, 'nowhere')];
    const reason = 'there is no such program, or none that its first line names';
    await expect(commandSigner({ command }).sign(order)).rejects.toThrow(`${command[0]} cannot be run: ${reason}`);
    expect(() => commandSigner({ command: [] })).toThrow(TypeError);
  });

  test('it says much: the end of it', async () => {
    const failing = signer('i=0; while [ $i -lt 2000 ]; do echo "line $i" >&2; i=$((i+1)); done; exit 1');
    const said = await failing.sign(order).catch((error: Error) => error.message);
    expect(said).toMatch(/it said: line 1990 \| .* \| line 1999$/);
  });
});

test('its arguments are words, whatever is in them', async () => {
  const program = join(folder, 'a program');
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" >&2\nexit 1\n`);
  chmodSync(program, 0o755);
  const command = [program, '$(touch /tmp/x)', 'two words', ';', ''];
  await expect(commandSigner({ command }).sign(order)).rejects.toThrow('it said: $(touch /tmp/x) | two words | ;');
});

describe('several requests', () => {
  const begin = 'mkdir "$1/run-$$"; ls "$1" | grep -c run- >> "$1/counts"; sleep 0.2; rmdir "$1/run-$$";';

  test('run at once, so many at a time', async () => {
    const parallel = signer(`${begin} echo '${one}'`, { parallel: 3 });
    const orders = Array.from({ length: 8 }, (_, index) => ({ ...order, name: `o${index}` }));
    await expect(Promise.all(orders.map((each) => parallel.sign(each)))).resolves.toHaveLength(8);
    const counts = readFileSync(join(folder, 'counts'), 'utf8').trim().split('\n').map(Number);
    expect(counts).toHaveLength(8);
    expect(Math.max(...counts)).toBe(3);
    expect(readdirSync(folder).filter((name) => name.startsWith('run-'))).toEqual([]);
  });

  test('those that wait are not begun after one has failed, and say why; later ones are', async () => {
    const failing = signer(
      'echo x >> "$1/begun"; if [ -e "$1/good" ]; then cat "$1/chain"; else echo broken >&2; exit 1; fi',
      { parallel: 1 },
    );
    const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => failing.sign({ ...order, name })));
    const reasons = results.map((result) => (result.status === 'rejected' ? String(result.reason.message) : ''));
    const first = 'it ended with exit code 1; it said: broken';
    const after = `it is not asked any more, as it gave none for 'a': ${first}`;
    expect(reasons).toEqual([first, after, after]);
    expect(readFileSync(join(folder, 'begun'), 'utf8')).toBe('x\n');
    writeFileSync(join(folder, 'good'), '');
    writeFileSync(join(folder, 'chain'), one);
    await expect(failing.sign(order)).resolves.toBe(`${one}\n`);
  });

  test('all end when the run is told to stop', async () => {
    const stop = new AbortController();
    const slow = signer('touch "$1/slow"; exec sleep 60', { signal: stop.signal, parallel: 1 });
    const results = Promise.allSettled(['a', 'b'].map((name) => slow.sign({ ...order, name })));
    while (!existsSync(join(folder, 'slow'))) await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort();
    for (const result of await results)
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { message: expect.stringMatching(/the run was told to stop/) },
      });
  });
});
