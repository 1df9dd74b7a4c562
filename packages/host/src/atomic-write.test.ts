import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemCalls, traced } from '../test/trace.ts';
import { atomicWrite } from './atomic-write.ts';

let directory: string;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'groundplane-write-')));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const write = (path: string, value: string, mode = 0o644): Promise<void> =>
  atomicWrite(path, text(value), { mode, directoryMode: 0o755 });
const modeOf = (path: string): number => statSync(path).mode & 0o7777;

describe('mode', () => {
  const script = join(import.meta.dirname, '../test/write-file.ts');
  it.each([
    { name: 'a certificate under a strict umask', umask: '077', mode: '644', file: 0o600, folder: 0o700 },
    { name: 'a key under a strict umask', umask: '077', mode: '600', file: 0o600, folder: 0o700 },
    { name: 'a key without umask', umask: '000', mode: '600', file: 0o600, folder: 0o755 },
    { name: 'a certificate without umask', umask: '000', mode: '644', file: 0o644, folder: 0o755 },
    { name: 'a certificate under the usual umask', umask: '022', mode: '644', file: 0o644, folder: 0o755 },
    {
      name: 'a certificate under an umask that closes it to the group',
      umask: '027',
      mode: '644',
      file: 0o640,
      folder: 0o750,
    },
  ])('is what the umask leaves of $name', ({ umask, mode, file, folder }) => {
    const path = join(directory, 'sub', 'file');
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', `umask ${umask}; exec "$0" "$@"`, process.execPath, script, path, mode, 'x'],
      {
        encoding: 'utf8',
      },
    );
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(modeOf(path)).toBe(file);
    expect(modeOf(join(directory, 'sub'))).toBe(folder);
  });

  it.each([
    { name: 'a wider one', before: 0o666, maxMode: undefined, after: 0o666 },
    { name: 'a closer one', before: 0o400, maxMode: undefined, after: 0o400 },
    { name: 'a wider one within bounds', before: 0o644, maxMode: 0o644, after: 0o644 },
    { name: 'what is within bounds of one beyond', before: 0o666, maxMode: 0o644, after: 0o644 },
  ])('of an existing file stays: $name', async ({ before, maxMode, after }) => {
    const path = join(directory, 'file');
    writeFileSync(path, 'old');
    chmodSync(path, before);
    await atomicWrite(path, text('new'), { mode: 0o600, maxMode, directoryMode: 0o755 });
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(modeOf(path)).toBe(after);
  });

  it('of an existing directory is left alone', async () => {
    mkdirSync(join(directory, 'sub'));
    chmodSync(join(directory, 'sub'), 0o700);
    await write(join(directory, 'sub', 'file'), 'x');
    expect(modeOf(join(directory, 'sub'))).toBe(0o700);
  });
});

describe('symbolic links', () => {
  it.each([
    { name: 'relative', link: '../elsewhere/target' },
    { name: 'to a link', link: 'second' },
  ])('stay links: $name', async ({ link }) => {
    mkdirSync(join(directory, 'elsewhere'));
    mkdirSync(join(directory, 'here'));
    writeFileSync(join(directory, 'elsewhere/target'), 'old');
    symlinkSync('../elsewhere/target', join(directory, 'here/second'));
    symlinkSync(link, join(directory, 'here/file'));
    await write(join(directory, 'here/file'), 'new', 0o600);
    expect(readlinkSync(join(directory, 'here/file'))).toBe(link);
    expect(readFileSync(join(directory, 'elsewhere/target'), 'utf8')).toBe('new');
    expect(modeOf(join(directory, 'elsewhere/target'))).toBe(0o644);
    expect(readdirSync(join(directory, 'elsewhere'))).toEqual(['target']);
  });

  it('that dangle are followed: the file that they name is made', async () => {
    symlinkSync(join(directory, 'elsewhere.conf'), join(directory, 'admin.conf'));
    await write(join(directory, 'admin.conf'), 'new', 0o600);
    expect(lstatSync(join(directory, 'admin.conf')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(directory, 'elsewhere.conf'), 'utf8')).toBe('new');
  });

  it('in a linked directory go up from where that directory is', async () => {
    mkdirSync(join(directory, 'data/pki'), { recursive: true });
    mkdirSync(join(directory, 'data/ext'));
    mkdirSync(join(directory, 'kubernetes'));
    symlinkSync('../data/pki', join(directory, 'kubernetes/pki'));
    writeFileSync(join(directory, 'data/ext/ca.crt'), 'old');
    symlinkSync('../ext/ca.crt', join(directory, 'data/pki/ca.crt'));
    await write(join(directory, 'kubernetes/pki/ca.crt'), 'new');
    await write(join(directory, 'kubernetes/pki/etcd/ca.crt'), 'another');
    expect(readFileSync(join(directory, 'data/ext/ca.crt'), 'utf8')).toBe('new');
    expect(readFileSync(join(directory, 'data/pki/etcd/ca.crt'), 'utf8')).toBe('another');
    expect(lstatSync(join(directory, 'kubernetes/pki')).isSymbolicLink()).toBe(true);
    expect(readdirSync(join(directory, 'kubernetes'))).toEqual(['pki']);
  });

  it('in a circle are an error', async () => {
    symlinkSync('b', join(directory, 'a'));
    symlinkSync('a', join(directory, 'b'));
    await expect(write(join(directory, 'a'), 'x')).rejects.toMatchObject({ code: 'ELOOP' });
  });
});

it('refuses to replace a directory and leaves no temporary file', async () => {
  mkdirSync(join(directory, 'admin.conf'));
  await expect(write(join(directory, 'admin.conf'), 'x')).rejects.toMatchObject({ code: 'EISDIR' });
  expect(readdirSync(directory)).toEqual(['admin.conf']);
});

it.runIf(process.getuid?.() === 0)('keeps the owner of a file that it replaces', async () => {
  const path = join(directory, 'file');
  writeFileSync(path, 'old');
  chownSync(path, 1234, 4321);
  await write(path, 'new');
  expect(statSync(path)).toMatchObject({ uid: 1234, gid: 4321 });
});

it('lets writers of one path in one process not disturb each other', async () => {
  const path = join(directory, 'file');
  const values = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(1000));
  await Promise.all(values.map((value) => write(path, value)));
  expect(values).toContain(readFileSync(path, 'utf8'));
  expect(readdirSync(directory)).toEqual(['file']);
});

describe('a kill at the rename', () => {
  const killAtRename = ['-e', 'inject=rename,renameat,renameat2:signal=SIGKILL:when=1'];

  it.each([
    { name: 'leaves the old file', before: 'old' },
    { name: 'leaves no file where there was none', before: undefined },
  ])('$name, and the next write removes what it left', async ({ before }) => {
    const path = join(directory, 'kube-apiserver.yaml');
    const neighbour = join(directory, '.other.groundplane-0123456789abcdef');
    writeFileSync(neighbour, 'not ours to remove');
    if (before !== undefined) writeFileSync(path, before, { mode: 0o600 });
    const { stderr } = traced('write-file.ts', [path, '600', 'new'], { strace: killAtRename });
    expect(stderr).toContain('killed by SIGKILL');
    const left = readdirSync(directory).filter((name) => name.startsWith('.kube-apiserver.yaml.groundplane-'));
    expect(left).toHaveLength(1);
    expect(modeOf(join(directory, left[0] ?? ''))).toBe(0o600);
    expect(readdirSync(directory).includes('kube-apiserver.yaml')).toBe(before !== undefined);
    if (before !== undefined) expect(readFileSync(path, 'utf8')).toBe(before);

    await write(path, 'new', 0o600);
    expect(readdirSync(directory).sort()).toEqual(['.other.groundplane-0123456789abcdef', 'kube-apiserver.yaml']);
    expect(readFileSync(path, 'utf8')).toBe('new');
  });
});

it('makes the bytes and then the name durable, with one rename in all', () => {
  const path = join(directory, 'file');
  const trace = join(directory, 'trace');
  traced('write-file.ts', [path, '600', 'new'], {
    strace: ['-y', '-e', 'trace=fsync,rename,renameat,renameat2,fchmod', '-o', trace],
  });
  const order = systemCalls(trace)
    .filter((call) => call.includes(directory))
    .map((call) =>
      call
        .replace(/\d+<|>/g, '')
        .replaceAll(directory, '')
        .replace(/groundplane-[0-9a-f]+/g, 'groundplane-X'),
    );
  expect(order.map((call) => call.replace(/\)\s+= .*$/, ')'))).toEqual([
    'fsync(/.file.groundplane-X)',
    'rename("/.file.groundplane-X", "/file")',
    'fsync()',
  ]);
});
