import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The real kubeadm, and our command line as the packages' build makes it. */
const programs = {
  kubeadm: () => {
    const binary = process.env.GROUNDPLANE_KUBEADM;
    if (binary === undefined)
      throw new Error('Cannot compare with kubeadm as GROUNDPLANE_KUBEADM does not say where it is');
    return [binary];
  },
  groundplane: () => [process.execPath, fileURLToPath(new URL('../../cli/dist/bin/groundplane.js', import.meta.url))],
} as const;

export type Program = keyof typeof programs;

/** One file or folder of a node. */
export interface NodeFile {
  /** Kind and permission bits: `file 600`. */
  readonly mode: string;
  /** Absent for folders. */
  readonly text?: string;
  /** Nanoseconds since the epoch; tells whether it was written again. */
  readonly modified: bigint;
}

/** A node's /etc/kubernetes, by path below it. */
export type NodeFiles = Readonly<Record<string, NodeFile>>;

export interface Step {
  readonly program: Program;
  readonly args: readonly string[];
}

export interface NodeResult {
  /** Standard output of each step. */
  readonly outputs: readonly string[];
  /** The files after each step. */
  readonly files: readonly NodeFiles[];
}

/**
 * Runs commands one after another where /etc/kubernetes and /var/lib/kubelet are empty folders of their own (a private mount namespace), so
 * that nothing of this host is seen or changed. Needs root.
 *
 * @param configuration text of the file that the steps find as `$CONFIG`
 * @throws Error with its output when a step fails
 */
export function onPrivateNode(configuration: string, steps: readonly Step[]): NodeResult {
  const folder = mkdtempSync(join(tmpdir(), 'private-node-'));
  const mountPoints = ['/etc/kubernetes', '/var/lib/kubelet'];
  for (const mountPoint of mountPoints) mkdirSync(mountPoint, { recursive: true });
  try {
    const config = join(folder, 'config.yaml');
    writeFileSync(config, configuration);
    const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
    const lines = steps.flatMap(({ program, args }, index) => {
      const words = [...programs[program](), ...args.map((word) => (word === '$CONFIG' ? config : word))];
      return [
        `${words.map(quoted).join(' ')} > ${folder}/output-${index} 2> ${folder}/errors-${index} || { cat ${folder}/errors-${index} >&2; exit 1; }`,
        `cp -a /etc/kubernetes ${folder}/files-${index}`,
      ];
    });
    const script = [
      'set -e',
      ...mountPoints.map((path) => `mount -t tmpfs -o mode=755 none ${path}`),
      'cd /',
      ...lines,
    ];
    const env = { ...environmentWithoutProxies(), GROUNDPLANE_STATE_DIR: join(folder, 'state') };
    const { status, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', script.join('\n')], {
      encoding: 'utf8',
      env,
    });
    if (status !== 0) throw new Error(`Cannot run the steps on a private node: ${stderr}`);
    return {
      outputs: steps.map((_, index) => readFileSync(join(folder, `output-${index}`), 'utf8')),
      files: steps.map((_, index) => filesBelow(join(folder, `files-${index}`))),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Both tools pass proxy variables on to the control plane; what is set here is nobody's business. */
function environmentWithoutProxies(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name)));
}

function filesBelow(root: string): NodeFiles {
  const names = readdirSync(root, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    names
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((path) => {
        const { mode, mtimeNs } = statSync(path, { bigint: true });
        const isFile = statSync(path).isFile();
        const file: NodeFile = {
          mode: `${isFile ? 'file' : 'folder'} ${(Number(mode) & 0o7777).toString(8)}`,
          modified: mtimeNs,
          ...(isFile ? { text: readFileSync(path, 'utf8') } : {}),
        };
        return [relative(root, path), file];
      }),
  );
}
