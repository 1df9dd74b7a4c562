import {
  detectsCriSocket,
  type FlagValues,
  knownCriSockets,
  type ReadResetConfiguration,
  readResetConfiguration,
  resolveResetConfiguration,
} from '@groundplane/config';
import { joinPath } from '@groundplane/controlplane';
import type { Finding } from '@groundplane/errors';
import { parseKubeletConfig } from '@groundplane/kubelet';
import type { Host, SuppliedPorts } from '@groundplane/phases';
import { bootstrapError, bootstrapFinding } from './error-codes.ts';
import { etcdManifestDirectory } from './etcd-manifest-directory.ts';
import {
  decideEtcdReset,
  defaultEtcdDataDirectory,
  type EtcdReset,
  type EtcdSources,
  etcdDataDirectoryOf,
} from './etcd-reset.ts';
import { requireJournalPlace } from './journal-place.ts';
import { type ResetClusterFacts, resetClusterFacts } from './reset-cluster-facts.ts';
import { kubernetesDirectory, type ResetContext, resetLayoutOf } from './reset-context.ts';
import { kubeletDirectory, type ResetDirectories, resetDirectories } from './reset-directories.ts';
import { contains } from './system-directories.ts';

export interface ResetRequest {
  /** Text of the file given by `--config`; undefined when flags alone decide. */
  readonly configText?: string | undefined;
  /** The flags that were given, typed, by name. */
  readonly flags?: FlagValues;
  /** What the two come to, if the caller has read them already. */
  readonly read?: ReadResetConfiguration | undefined;
  readonly ports: SuppliedPorts;
  /** `reset`, or the command of one of its phases, `reset phase cleanup-node`. */
  readonly command?: string;
}

export interface ResolvedReset {
  /** Not confirmed unless --force or a dry run makes the question needless: the caller asks it, and says so in the context. */
  readonly context: ResetContext;
  /** What a plan goes by, where it is something else: what is not known yet, and that a run would go without. */
  readonly planContext?: ResetContext;
  readonly skipPhases: readonly string[];
  readonly dryRun: boolean;
  readonly warnings: readonly Finding[];
}

const defaultCertificatesDirectory = '/etc/kubernetes/pki';
const etcdClientPort = 2379;
const nothingKnown: ResetClusterFacts = { otherControlPlanes: [], warnings: [] };

/**
 * The one step before planning that asks the machine and, as far as it answers, the cluster (kubeadm: cmd/reset.go, newResetData).
 *
 * @throws GroundplaneError of kind usage for the configuration; BOOTSTRAP_JOURNAL_REFUSED; BOOTSTRAP_RESET_REFUSED for a directory
 *   that must not be cleaned up
 */
export async function resolveReset({
  configText,
  flags = {},
  read = readResetConfiguration(configText, { flags }),
  ports,
  command = 'reset',
}: ResetRequest): Promise<ResolvedReset> {
  const { host } = ports;
  const detects = detectsCriSocket(command);
  const [configured, hostName, cluster] = await Promise.all([
    read.configuration.criSocket || kubeletsCriSocket(host),
    host.facts.hostName(),
    // What asks the user only needs nothing of the cluster.
    command === 'reset phase preflight' ? nothingKnown : resetClusterFacts(read.run.kubeconfig, ports),
  ]);
  const criSockets = detects && configured === '' ? await host.facts.sockets(knownCriSockets) : [];
  const { configuration: reset, warnings } = resolveResetConfiguration(
    { ...read, configuration: { ...read.configuration, criSocket: configured } },
    { hostName, addresses: { ipv4: [], ipv6: [], loopback: [] }, criSockets },
    { detectCriSocket: detects },
  );
  // kubeadm means to go by the cluster where nobody says a directory, but its default comes first (cmd/reset.go).
  const isNamed = flags['cert-dir'] !== undefined || configText !== undefined;
  const certificatesDir = (isNamed ? undefined : cluster.stored?.certificatesDir) ?? reset.certificatesDir;
  const folders = await resetDirectories(host.files, certificatesDir, reset.cleanupTmpDir);
  if (folders.refused !== undefined) throw refusal(folders.refused, certificatesHint);
  const { dryRun } = read.run;
  const {
    etcd,
    hidden,
    warnings: etcdWarnings,
  } = await resolveEtcd(host, cluster, { force: reset.force, dryRun, folders });
  const groundplane = read.groundplane ?? cluster.groundplane;
  const concernsEtcd = command === 'reset' || command === 'reset phase remove-etcd-member';
  const context: ResetContext = {
    reset: { ...reset, certificatesDir },
    ...(groundplane === undefined ? {} : { groundplane }),
    confirmed: reset.force || dryRun,
    nodeName: cluster.nodeName ?? hostName.trim().toLowerCase(),
    directories: folders.directories,
    etcd,
  };
  await requireJournalPlace(read.groundplane, { files: host.files, layout: resetLayoutOf(context) });
  return {
    context,
    ...(hidden === undefined ? {} : { planContext: { ...context, etcd: hidden } }),
    skipPhases: read.run.skipPhases,
    dryRun,
    warnings: [
      ...warnings,
      ...cluster.warnings,
      ...(concernsEtcd ? etcdWarnings : []),
      ...unusualDirectory(certificatesDir),
    ],
  };
}

/** The socket that the kubelet of this node was told to use, which needs no guess where several runtimes are there. */
export async function kubeletsCriSocket({ files }: Host): Promise<string> {
  for (const name of ['instance-config.yaml', 'config.yaml']) {
    try {
      const content = await files.read(`${kubeletDirectory}/${name}`);
      if (content === undefined) continue;
      const { containerRuntimeEndpoint } = parseKubeletConfig(new TextDecoder().decode(content.bytes), name);
      if (typeof containerRuntimeEndpoint === 'string' && containerRuntimeEndpoint !== '')
        return containerRuntimeEndpoint;
    } catch {
      // What cannot be read says nothing; it is going to be removed.
    }
  }
  return '';
}

async function resolveEtcd(
  host: Host,
  { stored, otherControlPlanes }: ResetClusterFacts,
  { force, dryRun, folders }: { readonly force: boolean; readonly dryRun: boolean; readonly folders: ResetDirectories },
): Promise<{ readonly etcd: EtcdReset; readonly hidden?: EtcdReset; readonly warnings: readonly Finding[] }> {
  const read = await etcdManifestDirectory(host.files, `${kubernetesDirectory}/manifests/etcd.yaml`);
  const isHidden = typeof read === 'object' && 'unreadable' in read;
  const hidden =
    isHidden && stored === undefined
      ? { hidden: { dataDirectory: defaultEtcdDataDirectory, hiddenBy: read.unreadable } }
      : {};
  if (dryRun && hidden.hidden !== undefined) return { etcd: hidden.hidden, warnings: [] };
  const manifest = isHidden ? 'unusable' : read;
  const sources: EtcdSources = { manifest, ...(stored === undefined ? {} : { stored }) };
  const directory = etcdDataDirectoryOf(sources);
  const realPath = await host.files.realPath(directory).catch(() => undefined);
  const names = await host.files.list(realPath ?? joinPath(directory)).catch(() => undefined);
  const holdsData = (names ?? []).length > 0;
  const { warnings, ...etcd } = decideEtcdReset({
    ...sources,
    foreignEtcdRuns: manifest === 'absent' && stored === undefined && (await etcdRuns(host)),
    otherControlPlanes,
    force,
    found: { holdsData, ...(realPath === undefined ? {} : { realPath }) },
    kept: folders.kept,
  });
  const dataDirectory = joinPath(realPath ?? etcd.dataDirectory);
  const emptied = folders.emptied.find((folder) => contains(folder, [dataDirectory]));
  if (etcd.leftBecause !== undefined && holdsData && emptied !== undefined)
    throw refusal(
      { path: dataDirectory, reason: `the data of etcd would go with ${emptied}, but ${etcd.leftBecause}` },
      `See whose data it is, and move it: ls -la ${dataDirectory}`,
    );
  return { etcd: { ...etcd, dataDirectory }, ...hidden, warnings };
}

async function etcdRuns({ services, facts }: Host): Promise<boolean> {
  return (await services.status('etcd')).active || !(await facts.canListen(etcdClientPort));
}

const certificatesHint = `Name the folder that the certificates of this node are in: --cert-dir ${defaultCertificatesDirectory}`;

function refusal({ path, reason }: { readonly path: string; readonly reason: string }, hint: string): Error {
  return bootstrapError('BOOTSTRAP_RESET_REFUSED', `Cannot clean up ${path} as ${reason}`, {
    hint,
    details: { directory: path },
  });
}

function unusualDirectory(certificatesDir: string): readonly Finding[] {
  if (joinPath(certificatesDir) === defaultCertificatesDirectory) return [];
  return [
    bootstrapFinding({
      code: 'BOOTSTRAP_RESET_DIRECTORY',
      severity: 'warning',
      artifact: 'certificatesDir',
      message: `Certificates are removed from a directory that is not the default one: ${certificatesDir}`,
    }),
  ];
}
