import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Folders whose content is a result; they are empty, or do not exist, before the first step. */
const observed = ['/etc/kubernetes', '/var/lib', '/opt'];

/** Where a step finds the files that are given to it. */
export const caseFolder = '/srv/case';

/** One file, folder or link of a node. */
export interface NodeEntry {
  /** Kind, permission bits and owner: `file 600 0:0`. */
  readonly stat: string;
  /** Content of a file, target of a link; absent for folders. */
  readonly text?: string;
  /** Nanoseconds since the epoch; tells whether it was written again. */
  readonly modified: bigint;
}

/** What is below the observed folders, by absolute path. */
export type NodeEntries = ReadonlyMap<string, NodeEntry>;

/** A step whose exit code is a result, whatever it is. */
export interface TolerantStep {
  readonly tolerated: readonly string[];
}

/** Shell commands as a step that may fail. */
export function tolerant(commands: string): TolerantStep {
  return { tolerated: ['bash', '-c', commands] };
}

export interface SandboxNode {
  /** Program and arguments of each step, which has to succeed unless it is a tolerant one. */
  readonly steps: readonly (readonly string[] | TolerantStep)[];
  /** Name → text of the files in {@link caseFolder}. */
  readonly files?: Readonly<Record<string, string>>;
  /** @default 'node-a' */
  readonly hostName?: string;
  /** Beside PATH and HOME. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Shell commands before the first step. */
  readonly prepare?: readonly string[];
  /** Octal. @default '022' */
  readonly umask?: string;
  /** For all steps. @default 110_000 */
  readonly timeoutMs?: number;
}

export interface SandboxResult {
  /** Standard output of each step. */
  readonly outputs: readonly string[];
  /** Standard error of each step. */
  readonly errors: readonly string[];
  /** Exit code of each step. */
  readonly statuses: readonly number[];
  /** The node after each step. */
  readonly entries: readonly NodeEntries[];
}

/**
 * Runs commands one after another as root of a node of their own: /etc is a copy on write without /etc/kubernetes, /var/lib and /opt are empty;
 * host name and network are the node's, with 192.0.2.10 and 2001:db8::10 on the only interface and nobody at its other end.
 * Nothing of this host is changed. Needs root.
 *
 * @throws Error with its output when a step fails that must not
 */
export function onSandboxNode(node: SandboxNode): SandboxResult {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-node-'));
  try {
    for (const name of ['case', 'state', 'memory', 'after']) mkdirSync(join(folder, name));
    for (const [name, text] of Object.entries(node.files ?? {})) {
      mkdirSync(dirname(join(folder, 'case', name)), { recursive: true });
      writeFileSync(join(folder, 'case', name), text);
    }
    const { status, stderr } = spawnSync(
      'unshare',
      ['--mount', '--uts', '--net', 'bash', '-c', scriptOf(node, folder)],
      {
        encoding: 'utf8',
        timeout: node.timeoutMs ?? 110_000,
        env: {
          PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
          HOME: '/root',
          GROUNDPLANE_STATE_DIR: join(folder, 'state'),
          ...node.environment,
        },
      },
    );
    if (status !== 0) throw new Error(`Cannot run the steps on a node of their own: ${stderr}`);
    const read = (ending: string) =>
      node.steps.map((_, index) => readFileSync(join(folder, `output-${index}${ending}`), 'utf8'));
    return {
      outputs: read(''),
      errors: read('.errors'),
      statuses: read('.status').map(Number),
      entries: node.steps.map((_, index) => entriesBelow(join(folder, 'after', String(index)))),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function scriptOf({ steps, hostName = 'node-a', prepare = [], umask = '022' }: SandboxNode, folder: string): string {
  const steps_ = steps.flatMap((step, index) => {
    const output = `${folder}/output-${index}`;
    const words = 'tolerated' in step ? step.tolerated : step;
    return [
      `status=0; ${words.map(quoted).join(' ')} > ${output} 2> ${output}.errors || status=$?`,
      ...('tolerated' in step ? [] : [`[ $status = 0 ] || { cat ${output} ${output}.errors >&2; exit 1; }`]),
      `echo $status > ${output}.status`,
      `mkdir -m 755 ${folder}/after/${index}`,
      // Hard links are not enough: a later step may write into the same file.
      ...observed.map((path) => `[ ! -e ${path} ] || cp -a --parents ${path} ${folder}/after/${index}`),
    ];
  });
  return [
    'set -e',
    `mount -t tmpfs none ${folder}/memory`,
    `mkdir ${folder}/memory/upper ${folder}/memory/work`,
    `mount -t overlay -o lowerdir=/etc,upperdir=${folder}/memory/upper,workdir=${folder}/memory/work overlay /etc`,
    'rm -rf /etc/kubernetes',
    ...['/var/lib', '/opt', '/srv'].map((path) => `mount -t tmpfs -o mode=755 none ${path}`),
    `mkdir ${caseFolder}`,
    `mount --bind ${folder}/case ${caseFolder}`,
    `printf %s ${quoted(hostName)} > /proc/sys/kernel/hostname`,
    'ip link set lo up; ip link add veth0 type veth peer name veth1',
    'ip addr add 192.0.2.10/24 dev veth0; ip -6 addr add 2001:db8::10/64 dev veth0 nodad',
    'ip link set veth0 up; ip link set veth1 up',
    'ip route add default via 192.0.2.1 dev veth0; ip -6 route add default via 2001:db8::1 dev veth0',
    'cd /',
    ...prepare,
    `umask ${umask}`,
    ...steps_,
  ].join('\n');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function entriesBelow(root: string): NodeEntries {
  const found = new Map<string, NodeEntry>();
  const walk = (path: string): void => {
    for (const name of readdirSync(`${root}${path}`).toSorted()) {
      const below = `${path}/${name}`;
      const { mode, uid, gid, mtimeNs } = lstatSync(`${root}${below}`, { bigint: true });
      const stats = lstatSync(`${root}${below}`);
      const kind = stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'file';
      const stat = `${kind} ${(Number(mode) & 0o7777).toString(8)} ${uid}:${gid}`;
      const text = kind === 'file' ? readFileSync(`${root}${below}`, 'utf8') : undefined;
      const content = kind === 'link' ? readlinkSync(`${root}${below}`) : text;
      // Folders above the observed ones are copied along.
      if (observed.some((path_) => below.startsWith(path_) && below !== '/var/lib' && below !== '/opt')) {
        found.set(below, { stat, modified: mtimeNs, ...(content === undefined ? {} : { text: content }) });
      }
      if (kind === 'folder') walk(below);
    }
  };
  walk('');
  return found;
}
