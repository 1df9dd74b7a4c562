import { joinPath } from '@groundplane/controlplane';
import type { Finding } from '@groundplane/errors';
import { bootstrapFinding } from './error-codes.ts';
import { refusalToEmpty } from './system-directories.ts';

/** What becomes of etcd's data on this node. */
export interface EtcdReset {
  /** Absolute path. */
  readonly dataDirectory: string;
  /** Why it is left as it is; absent if it is emptied. */
  readonly leftBecause?: string;
  /** What kept a look from telling whether it is emptied; a run leaves it then. */
  readonly hiddenBy?: unknown;
}

/** Where the data is said to be. */
export interface EtcdSources {
  /** From kubeadm-config; absent if the cluster could not be asked. */
  readonly stored?: { readonly isExternal: boolean; readonly dataDirectory?: string };
  /** hostPath of the volume `etcd-data` in the static pod's manifest; `unusable` if there is a manifest that does not say. */
  readonly manifest: 'absent' | 'unusable' | { readonly dataDirectory: string };
}

/** What is known about etcd on this node when it is reset. */
export interface EtcdFacts extends EtcdSources {
  /** True if an etcd that is none of a static pod runs on this machine. */
  readonly foreignEtcdRuns: boolean;
  /** Names of the other control-plane nodes; empty if there are none, or the cluster could not be asked. */
  readonly otherControlPlanes: readonly string[];
  readonly force: boolean;
  /** Of the directory that {@link etcdDataDirectoryOf} says: where it really is, and whether something is in it. */
  readonly found: { readonly realPath?: string; readonly holdsData: boolean };
  /** Paths of folders that must not go with it. */
  readonly kept: readonly string[];
}

/** kubeadm's default (constants.go). */
export const defaultEtcdDataDirectory = '/var/lib/etcd';

function namedDirectory({ stored, manifest }: EtcdSources): string | undefined {
  return stored?.dataDirectory ?? (typeof manifest === 'object' ? manifest.dataDirectory : undefined);
}

/** The cluster's word, or else that of the manifest, or else kubeadm's default (getEtcdDataDir). */
export function etcdDataDirectoryOf(sources: EtcdSources): string {
  return namedDirectory(sources) ?? defaultEtcdDataDirectory;
}

/**
 * Decides about the data of etcd as kubeadm does (cmd/phases/reset/removeetcdmember.go), but leaves what is not this node's: the data of
 * an external etcd, and that of an etcd that runs beside Kubernetes. This release cannot take a member out of a cluster of several; its
 * data is left then unless told otherwise, so that nothing is lost that cannot be had again.
 */
export function decideEtcdReset(facts: EtcdFacts): EtcdReset & { readonly warnings: readonly Finding[] } {
  const { stored, manifest, otherControlPlanes, force, foreignEtcdRuns, found, kept } = facts;
  const named = namedDirectory(facts);
  const dataDirectory = etcdDataDirectoryOf(facts);
  const leave = (leftBecause: string, hint: string, always = false) => ({
    dataDirectory,
    leftBecause,
    warnings:
      always || found.holdsData
        ? [warning(`The data in ${dataDirectory} is left as it is: ${leftBecause}`, dataDirectory, hint)]
        : [],
  });
  // What else is in the directory is none of etcd's.
  const removal = `rm -rf ${dataDirectory}/member`;
  const byHand = `If it is of no use, remove it: ${removal}`;
  if (stored?.isExternal === true) return leave('the cluster uses an external etcd', byHand);
  if (named === undefined && manifest === 'unusable')
    return leave('the manifest of etcd cannot be read, or does not say where its data is', byHand);
  if (named === undefined && foreignEtcdRuns)
    return leave('an etcd that Kubernetes did not start runs on this machine', byHand);
  const member = memberCommands(otherControlPlanes[0] ?? '');
  const others = otherControlPlanes.join(', ');
  if (otherControlPlanes.length > 0 && !force)
    return leave(
      `etcd on this node may still be a member of the cluster of ${others}`,
      `${member}\nThen reset with --force, or remove it: ${removal}`,
      true,
    );
  const refusal = [joinPath(dataDirectory), found.realPath ?? '']
    .map((path) => (path === '' ? undefined : refusalToEmpty(path, kept)))
    .find((reason) => reason !== undefined);
  if (refusal !== undefined) return leave(refusal, byHand);
  const stale =
    otherControlPlanes.length === 0
      ? []
      : [warning(`The etcd member of this node stays listed in the cluster of ${others}`, dataDirectory, member)];
  return { dataDirectory, warnings: stale };
}

function warning(message: string, artifact: string, hint: string): Finding {
  return bootstrapFinding({ code: 'BOOTSTRAP_ETCD_LEFT', severity: 'warning', artifact, message, hint });
}

function memberCommands(other: string): string {
  const etcdctl = [
    `kubectl -n kube-system exec etcd-${other} -- etcdctl --endpoints=https://127.0.0.1:2379`,
    '--cacert=/etc/kubernetes/pki/etcd/ca.crt --cert=/etc/kubernetes/pki/etcd/peer.crt',
    '--key=/etc/kubernetes/pki/etcd/peer.key',
  ].join(' ');
  return `Take the member of this node out of etcd: ${etcdctl} member list, then the same with: member remove ID`;
}
