import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localFacts } from './local-facts.ts';

const facts = localFacts(process.env);
const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8' }).trim();
let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'groundplane-facts-'));
});

afterAll(() => {
  rmSync(directory, { recursive: true });
});

const listening = (server: Server, options: object): Promise<void> =>
  new Promise((resolve) => server.listen(options, resolve));

describe('the machine, as other programs see it', () => {
  it.each([
    { name: 'host name', ours: () => facts.hostName(), theirs: () => run('uname', '-n') },
    { name: 'user', ours: async () => String(facts.uid()), theirs: () => run('id', '-u') },
    { name: 'CPUs', ours: async () => String(await facts.cpus()), theirs: () => run('nproc') },
    {
      name: 'one CPU of more',
      ours: async () => run('taskset', '-c', '0', process.execPath, join(import.meta.dirname, '../test/count-cpus.ts')),
      theirs: () => '1',
    },
    {
      name: 'memory',
      ours: async () => String(await facts.memoryMiB()),
      theirs: () =>
        String(Math.floor(Number(/MemTotal:\s+(\d+)/.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]) / 1024)),
    },
    { name: 'kernel release', ours: () => facts.kernelRelease(), theirs: () => run('uname', '-r') },
    {
      name: 'a program',
      ours: async () => (await facts.program('openssl')) ?? '',
      theirs: () => run('sh', '-c', 'command -v openssl'),
    },
    {
      name: 'first IPv4 address',
      ours: async () => (await facts.addresses()).ipv4[0] ?? '',
      theirs: () => /src (\S+)/.exec(run('ip', '-4', 'route', 'get', '8.8.8.8'))?.[1] ?? '',
    },
  ])('$name', async ({ ours, theirs }) => {
    expect(await ours()).toBe(theirs());
  });
});

describe('program', () => {
  it('passes over directories, files that cannot be run and relative entries of PATH', async () => {
    mkdirSync(join(directory, 'a/tool'), { recursive: true });
    mkdirSync(join(directory, 'b'));
    mkdirSync(join(directory, 'c'));
    writeFileSync(join(directory, 'b/tool'), '');
    writeFileSync(join(directory, 'c/tool'), '');
    chmodSync(join(directory, 'c/tool'), 0o755);
    const path = ['.', '', ...['a', 'b', 'c'].map((name) => join(directory, name))].join(':');
    expect(await localFacts({ PATH: path }).program('tool')).toBe(join(directory, 'c/tool'));
    expect(await localFacts({ PATH: path }).program('other')).toBeUndefined();
    expect(await localFacts({}).program('sh')).toBeUndefined();
  });
});

describe('output', () => {
  it.each([
    {
      name: 'both streams and the exit code',
      args: ['-c', 'echo out; echo err >&2; exit 3'],
      expected: { code: 3, stdout: 'out\n', stderr: 'err\n' },
    },
    { name: 'a signal', args: ['-c', 'kill -9 $$'], expected: { code: 137, stdout: '', stderr: '' } },
  ])('tells $name', async ({ args, expected }) => {
    expect(await facts.output('sh', args)).toEqual(expected);
  });

  it('is code 127 for a program that is not there', async () => {
    expect(await facts.output('/nowhere/kubelet', ['--version'])).toMatchObject({
      code: 127,
      stderr: expect.stringContaining('ENOENT'),
    });
  });

  it('gives the environment of this host and no other', async () => {
    const { stdout } = await localFacts({ PATH: process.env.PATH, A: '1' }).output('env', []);
    expect(stdout.split('\n').filter((line) => line.startsWith('A='))).toEqual(['A=1']);
    expect(stdout).not.toContain('HOME=');
  });
});

describe('canListen', () => {
  it('tells whether a port is taken on the address', async () => {
    const server = createServer();
    await listening(server, { port: 0, host: '127.0.0.1' });
    const { port } = server.address() as AddressInfo;
    expect(await facts.canListen(port, '127.0.0.1')).toBe(false);
    expect(await facts.canListen(port)).toBe(false);
    expect(await facts.canListen(port, '127.0.0.2')).toBe(true);
    await new Promise((resolve) => server.close(resolve));
    expect(await facts.canListen(port)).toBe(true);
    expect(await facts.canListen(port, '203.0.113.1')).toBe(false);
  });
});

it('finds the sockets that somebody listens on', async () => {
  const server = createServer();
  await listening(server, { path: join(directory, 'live.sock') });
  writeFileSync(join(directory, 'file.sock'), '');
  const candidates = ['live', 'file', 'none'].map((name) => `unix://${directory}/${name}.sock`);
  expect(await facts.sockets([...candidates, join(directory, 'live.sock')])).toEqual([
    candidates[0],
    join(directory, 'live.sock'),
  ]);
  await new Promise((resolve) => server.close(resolve));
});

it('lists proxy variables', () => {
  const environment = {
    no_proxy: 'a',
    HTTPS_PROXY: 'b',
    Ftp_Proxy: 'c',
    http_proxy: '',
    PROXY: 'd',
    _proxy_x: 'e',
    all_proxy: undefined,
  };
  expect(localFacts(environment).proxyEnvironment()).toEqual([
    { name: 'Ftp_Proxy', value: 'c' },
    { name: 'HTTPS_PROXY', value: 'b' },
    { name: 'no_proxy', value: 'a' },
  ]);
});

it('resolves names that this machine knows', async () => {
  expect(await facts.lookup('localhost')).toContain('127.0.0.1');
  expect(await facts.lookup('no-such-host.invalid')).toEqual([]);
});

describe('kernelFile', () => {
  it('reads plain and compressed text', async () => {
    writeFileSync(join(directory, 'config.gz'), gzipSync('CONFIG_INET=y\n'));
    expect(await facts.kernelFile(join(directory, 'config.gz'))).toBe('CONFIG_INET=y\n');
    expect(await facts.kernelFile('/proc/sys/kernel/ostype')).toBe('Linux\n');
    expect(await facts.kernelFile('/proc/no-such-file')).toBeUndefined();
  });
});

it('tells the cgroup version that the kernel has mounted', async () => {
  const type = run('stat', '-f', '-c', '%T', '/sys/fs/cgroup');
  const { version, controllers } = await facts.cgroups();
  expect(version).toBe(type === 'cgroup2fs' ? 2 : 1);
  expect(controllers).toEqual(expect.arrayContaining(['cpu', 'devices', 'memory', 'pids']));
});
