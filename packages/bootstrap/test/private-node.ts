import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
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
  /** Exit code of each step; all are 0 unless failures are tolerated. */
  readonly statuses: readonly number[];
}

export interface NodeOptions {
  /** Texts of files that are there before the first step, by path below /etc/kubernetes. */
  readonly files?: Readonly<Record<string, string>>;
  /** True if a step may fail, and the next one is run all the same. */
  readonly tolerant?: boolean;
}

/**
 * Runs commands one after another where /etc/kubernetes and /var/lib/kubelet are empty folders of their own (a private mount namespace), so
 * that nothing of this host is seen or changed. Needs root.
 *
 * @param configuration text of the file that the steps find as `$CONFIG`
 * @throws Error with its output when a step fails that must not
 */
export function onPrivateNode(
  configuration: string,
  steps: readonly Step[],
  { files = {}, tolerant = false }: NodeOptions = {},
): NodeResult {
  const folder = mkdtempSync(join(tmpdir(), 'private-node-'));
  const mountPoints = ['/etc/kubernetes', '/var/lib/kubelet'];
  for (const mountPoint of mountPoints) mkdirSync(mountPoint, { recursive: true });
  try {
    const config = join(folder, 'config.yaml');
    writeFileSync(config, configuration);
    for (const [path, text] of Object.entries(files)) {
      const place = join(folder, 'given', path);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, text);
    }
    const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
    const onFailure = (index: number) => (tolerant ? 'true' : `cat ${folder}/errors-${index} >&2; exit 1`);
    const lines = steps.flatMap(({ program, args }, index) => {
      const words = [...programs[program](), ...args.map((word) => (word === '$CONFIG' ? config : word))];
      return [
        `${words.map(quoted).join(' ')} > ${folder}/output-${index} 2> ${folder}/errors-${index} && echo 0 > ${folder}/status-${index} || { echo $? > ${folder}/status-${index}; ${onFailure(index)}; }`,
        `cp -a /etc/kubernetes ${folder}/files-${index}`,
      ];
    });
    const script = [
      'set -e',
      ...mountPoints.map((path) => `mount -t tmpfs -o mode=755 none ${path}`),
      ...(Object.keys(files).length > 0 ? [`cp -r ${folder}/given/. /etc/kubernetes/`] : []),
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
      statuses: steps.map((_, index) => Number(readFileSync(join(folder, `status-${index}`), 'utf8'))),
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
