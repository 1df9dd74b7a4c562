import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type ProgramName = 'groundplane' | 'kubeadm';

/** What a program is run with. */
export interface PrivateRun {
  readonly program: ProgramName;
  readonly args: readonly string[];
}

export interface PrivateRequest {
  /** Folder that is there before and stays: inputs are in it, outputs go to it. */
  readonly folder: string;
  /** Shell commands that bring the trees into their state, as root, before the first picture is taken. */
  readonly prepare?: string;
  /** Words before the program's: `setpriv …`. */
  readonly wrapper?: readonly string[];
  readonly runs: readonly PrivateRun[];
  /** Seconds after which a program is killed. */
  readonly timeout: number;
}

export interface PrivateResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** True if it was killed for taking too long. */
  readonly hung: boolean;
  /** What differs between the trees before and after this run, one line each with - or +. */
  readonly changes: readonly string[];
}

/** The trees that bad input must leave as they are. */
export const trees = ['/etc/kubernetes', '/var/lib/kubelet', '/var/lib/etcd'];

const bin = fileURLToPath(new URL('../packages/cli/dist/bin', import.meta.url));
/** Compiled code of the program, so that the second start takes half the time of the first. */
const compileCache = mkdtempSync(join(tmpdir(), 'groundplane-compiled-'));

/** Exit code by which timeout(1) says that it had to kill. */
const killed = 137;

/** Path, kind, mode, owner, mtime, size and target of everything in the trees, then the digests of files. */
const picture = (file: string) =>
  [
    `{ find ${trees.join(' ')} -printf '%p %y %#m %U:%G %T@ %s %l\\n' | sort`,
    `find ${trees.join(' ')} -type f -print0 | sort -z | xargs -0 -r sha256sum; } > ${file} 2>&1`,
  ].join('; ');

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/**
 * Runs programs one after another where /etc/kubernetes, /var/lib/kubelet and /var/lib/etcd are file systems of their own and no
 * network is there, so that nothing of this host is seen or changed. Needs root.
 *
 * @returns one result for each run
 * @throws Error if the trees cannot be prepared
 */
export async function inPrivateTrees(request: PrivateRequest): Promise<readonly PrivateResult[]> {
  const { folder, prepare = '', wrapper = [], runs, timeout } = request;
  for (const tree of trees) mkdirSync(tree, { recursive: true });
  const output = (name: string, index: number) => join(folder, `${name}-${index}`);
  const steps = runs.flatMap(({ program, args }, index) => {
    const words = [...wrapper, process.execPath, join(bin, `${program}.js`), ...args];
    return [
      `timeout -s KILL ${timeout} ${words.map(quoted).join(' ')} </dev/null >${output('stdout', index)} 2>${output('stderr', index)}`,
      `echo $? >${output('code', index)}`,
      picture(output('after', index)),
    ];
  });
  const script = join(folder, 'run.sh');
  const lines = [
    'set -e',
    ...trees.map((tree) => `mount -t tmpfs -o mode=755,size=8m none ${tree}`),
    'echo node-a >/proc/sys/kernel/hostname',
    `cd ${folder}`,
    prepare,
    'set +e',
    picture(join(folder, 'before')),
    ...steps,
    // Those that the preparation left running.
    'kill $(jobs -p) 2>/dev/null; exit 0',
  ];
  writeFileSync(script, `${lines.join('\n')}\n`);
  await mustEnd('unshare', ['--mount', '--uts', '--net', 'bash', script], folder);
  return runs.map((_, index) => {
    const before = linesOf(index === 0 ? join(folder, 'before') : output('after', index - 1));
    const after = linesOf(output('after', index));
    const code = Number(readFileSync(output('code', index), 'utf8'));
    return {
      code,
      stdout: readFileSync(output('stdout', index), 'utf8'),
      stderr: readFileSync(output('stderr', index), 'utf8'),
      hung: code === killed,
      changes: [
        ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
        ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
      ],
    };
  });
}

function linesOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8').split('\n');
}

function mustEnd(program: string, args: readonly string[], folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // Both names pass proxy variables on to the control plane and warn of them; what is set here is nobody's business.
    const own = Object.entries(process.env).filter(([name]) => !/_proxy$|^NODE_|^GROUNDPLANE_/i.test(name));
    const env = {
      ...Object.fromEntries(own),
      GROUNDPLANE_STATE_DIR: join(folder, 'state'),
      NODE_COMPILE_CACHE: compileCache,
    };
    const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (piece: Buffer) => {
      stderr += piece.toString();
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`Cannot prepare the private trees: ${stderr}`)),
    );
  });
}
