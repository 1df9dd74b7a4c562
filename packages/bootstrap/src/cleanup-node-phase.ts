import { type Finding, messageOf } from '@groundplane/errors';
import {
  type AnyPhase,
  type Artifact,
  contract,
  type Files,
  formatLocation,
  type Host,
  optional,
  type Runtime,
} from '@groundplane/phases';
import { bootstrapError, bootstrapFinding } from './error-codes.ts';
import { mountsBelow } from './mounts-below.ts';
import { podNames, removeSandboxes } from './remove-sandboxes.ts';
import {
  etcdData,
  etcdPkiDirectory,
  kubeconfigFiles,
  kubeletDirectory,
  manifestsDirectory,
  pkiDirectory,
  pkiFiles,
  temporaryDirectory,
} from './reset-artifacts.ts';
import { type ResetContext, resetLayoutOf } from './reset-context.ts';
import { stopKubelet } from './stop-kubelet.ts';
import { contains } from './system-directories.ts';

/**
 * Stops what runs on the node and removes what init and join left on it (kubeadm: cmd/phases/reset/cleanupnode.go). Pods go before what
 * they use, and nothing is removed while something is still mounted below the kubelet's directory: it may be a volume full of data.
 * kubeadm empties the certificates directory; here the files of the certificate table go, and others are named and stay.
 *
 * Where the runtime does not answer, pods may still run and write below the kubelet's directory. It is emptied all the same, as kubeadm
 * does, and said: a node whose runtime is broken has to be reset as well. Such a pod loses its files, but cannot lead the emptying to
 * other folders by links (see Files.empty), and what it makes meanwhile is named as left.
 */
export const cleanupNodePhase: AnyPhase<ResetContext> = contract<ResetContext>().defineEffect({
  name: 'cleanup-node',
  summary: 'Stop the kubelet, remove all pods, and remove the files of this node',
  configuration: ['certificatesDir', 'criSocket', 'unmountFlags'],
  reads: { pki: optional(pkiDirectory) },
  removes: [manifestsDirectory, kubeletDirectory, ...pkiFiles, etcdPkiDirectory, ...kubeconfigFiles],
  uses: ['host', 'runtime'],
  conditions({ directories: { kubelet, pki } }) {
    const wanted = (text: string) => ({ text, code: 'BOOTSTRAP_RESET_INCOMPLETE', severity: 'error' }) as const;
    return [
      wanted('The kubelet does not run'),
      wanted('The container runtime has no pods'),
      wanted(`Nothing is mounted below ${kubelet}`),
      {
        text: `No files of others are in ${pki}; they stay`,
        code: 'BOOTSTRAP_RESET_FOREIGN_FILE',
        severity: 'warning',
      },
    ];
  },
  bestEffort: true,
  async verify({ config, ports: { host, runtime } }) {
    return [
      ...(await kubeletFindings(host)),
      ...(await podFindings(runtime)),
      ...(await mountFindings(config, host)),
      ...(await foreignFiles(config, host.files)),
    ];
  },
  async run({ config, ports: { host, runtime }, progress, finding }) {
    await stopKubelet(host, { progress, finding });
    await removeSandboxes(runtime, () => true, { progress, finding });
    await unmountBelow(config, host, { progress, finding });
  },
});

/** A part of cleanup-node that is only done on request. */
export const cleanupTemporaryPhase: AnyPhase<ResetContext> = contract<ResetContext>().defineEffect({
  name: 'cleanup-node/tmp',
  summary: 'Remove the backups of earlier upgrades',
  hidden: true,
  configuration: ['cleanupTmpDir'],
  removes: [temporaryDirectory],
  uses: [],
  bestEffort: true,
  inapplicable: ({ reset }) => (reset.cleanupTmpDir ? undefined : '--cleanup-tmp-dir asks for it'),
  verify: () => [],
  run: async () => {},
});

const incomplete = (artifact: string, message: string): Finding =>
  bootstrapFinding({ code: 'BOOTSTRAP_RESET_INCOMPLETE', severity: 'error', artifact, message });

async function kubeletFindings({ services }: Host): Promise<readonly Finding[]> {
  const { active } = await services.status('kubelet');
  return active ? [incomplete('kubelet', 'the kubelet runs')] : [];
}

async function podFindings(runtime: Runtime): Promise<readonly Finding[]> {
  try {
    const sandboxes = await runtime.sandboxes();
    if (sandboxes.length === 0) return [];
    const there = sandboxes.length === 1 ? 'a pod is there' : `${sandboxes.length} pods are there`;
    return [incomplete('pods', `${there}: ${podNames(sandboxes)}`)];
  } catch (thrown) {
    return [{ ...incomplete('pods', `${messageOf(thrown)}; pods that run are not removed`), severity: 'warning' }];
  }
}

async function mountFindings(config: ResetContext, { mounts }: Host): Promise<readonly Finding[]> {
  const { kubelet } = config.directories;
  const below = mountsBelow(await mounts.table(), kubelet);
  if (below.length === 0) return [];
  const mounted = below.length === 1 ? 'a file system is' : `${below.length} file systems are`;
  return [incomplete(kubelet, `${mounted} mounted below ${kubelet}`)];
}

/** Warnings about what stays in the certificates directory, wherever that is. */
async function foreignFiles(config: ResetContext, files: Files): Promise<readonly Finding[]> {
  const layout = resetLayoutOf(config);
  const pathOf = (artifact: Artifact<string> | Artifact<void>) => formatLocation(artifact.where(layout));
  const folders = [etcdPkiDirectory, kubeletDirectory, manifestsDirectory, temporaryDirectory, etcdData].map(pathOf);
  const known = new Set([...[...pkiFiles, ...kubeconfigFiles].map(pathOf), ...folders]);
  const emptied = emptiedPaths(config);
  const listed = await Promise.all(
    [pkiDirectory, etcdPkiDirectory].map(pathOf).map(async (directory) => {
      return ((await files.list(directory)) ?? []).map((name) => `${directory}/${name}`);
    }),
  );
  const foreign = listed.flat().filter((path) => !known.has(path) && !emptied.some((one) => contains(one, [path])));
  if (foreign.length === 0) return [];
  return [
    bootstrapFinding({
      code: 'BOOTSTRAP_RESET_FOREIGN_FILE',
      severity: 'warning',
      artifact: layout.pki,
      message: `Left as they are not ours: ${foreign.join(', ')}`,
      hint: 'Remove them if they are of no use',
    }),
  ];
}

/** Folders in which reset leaves nothing, whoever put it there. */
function emptiedPaths({ directories, etcd, reset }: ResetContext): readonly string[] {
  return [
    directories.kubelet,
    directories.manifests,
    ...(reset.cleanupTmpDir ? [directories.temporary] : []),
    ...(etcd.leftBecause === undefined ? [etcd.dataDirectory] : []),
  ];
}

/** Flags of umount2(2) as the port knows them (kubeadm: unmount_linux.go). */
const unmountOptions = { MNT_FORCE: 'force', MNT_DETACH: 'lazy' } as const;

/** What has no meaning with umount(8): the mount points of the table are no links, and expiry needs two calls. */
const flagsWithoutEffect: readonly string[] = ['MNT_EXPIRE'];

interface Telling {
  progress(message: string): void;
  finding(finding: Finding): void;
}

/** @throws GroundplaneError BOOTSTRAP_UNMOUNT_FAILED with all that could not be unmounted */
async function unmountBelow(config: ResetContext, { mounts }: Host, { progress, finding }: Telling): Promise<void> {
  const { kubelet } = config.directories;
  const { unmountFlags } = config.reset;
  const below = mountsBelow(await mounts.table(), kubelet);
  if (below.length === 0) return;
  for (const flag of unmountFlags.filter((name) => flagsWithoutEffect.includes(name)))
    finding(
      bootstrapFinding({
        code: 'BOOTSTRAP_UNMOUNT_FLAG_IGNORED',
        severity: 'warning',
        artifact: 'unmountFlags',
        message: `The flag ${flag} has no effect: file systems are unmounted at once`,
      }),
    );
  progress(`Unmounting ${below.length === 1 ? 'a file system' : `${below.length} file systems`} below ${kubelet}`);
  const options = Object.fromEntries(
    Object.entries(unmountOptions).map(([flag, option]) => [option, unmountFlags.includes(flag)]),
  );
  const failures: string[] = [];
  // What was mounted last may be in what was mounted before.
  for (const { mountPoint } of below.toReversed())
    await mounts.unmount(mountPoint, options).catch((thrown: unknown) => failures.push(messageOf(thrown)));
  if (failures.length === 0) return;
  throw bootstrapError(
    'BOOTSTRAP_UNMOUNT_FAILED',
    `Cannot clean up the node as file systems are still mounted below ${kubelet}: ${failures.join('; ')}`,
    {
      hint: `Nothing in it was removed. See what uses them (fuser -vm MOUNTPOINT), or set unmountFlags: [MNT_DETACH] in a ResetConfiguration`,
      details: { directory: kubelet, failures },
    },
  );
}
