import { type Artifact, formatLocation, type Host } from '@groundplane/phases';
import { type CertificateAuthorityName, isAuthority } from '@groundplane/pki';
import { certificateArtifacts, etcdDataDirectory, kubeconfigArtifacts, leafArtifactsOf } from './artifacts.ts';
import { certificatesDirOf } from './configuration-by-manifests.ts';
import { bootstrapError } from './error-codes.ts';
import { certificateAuthorityNames } from './external-authority-names.ts';
import { type InitContext, layoutOf } from './init-context.ts';
import { withCapitalInitial } from './initial-letter.ts';
import type { ReadNode } from './node-artifacts.ts';
import { usualLayout } from './usual-layout.ts';
import { waitingKey } from './waiting-kubeconfig.ts';

/** A CA whose certificate is not there, although something that hangs on it is. Plain data. */
export interface LostAuthority {
  readonly name: CertificateAuthorityName;
  /** Absolute paths of its certificate and its key. */
  readonly place: string;
  readonly keyPlace: string;
  readonly hasKey: boolean;
  /** Absolute paths of certificates that it has signed. */
  readonly certificates: readonly string[];
  /** Absolute paths of the keys of such certificates, with or without them. */
  readonly keys: readonly string[];
  /** Absolute paths of kubeconfigs that hold its certificate, and a client certificate of its own. */
  readonly kubeconfigs: readonly string[];
  /** The folder of an etcd whose data are those of its cluster. */
  readonly data?: string;
  /** True if nothing hangs on it yet but requests: keys that wait for certificates of a CA that is kept elsewhere. */
  readonly isAwaited?: true;
}

/** Phase that makes a CA → what is looked for before it, to tell whether something hangs on the one that is missing. */
export const hangingOn: Readonly<Record<string, readonly Artifact<unknown>[]>> = Object.fromEntries(
  certificateAuthorityNames.map((name) => {
    const leaves = leafArtifactsOf(name);
    const ofCluster = name === 'ca' ? [...Object.values(kubeconfigArtifacts), etcdDataDirectory] : [];
    return [`certs/${name}`, [...leaves.flatMap(({ certificate, key }) => [certificate, key]), ...ofCluster]];
  }),
);

/** The CAs that a command may make. */
export function authoritiesMadeBy(command: string): readonly CertificateAuthorityName[] {
  if (command === 'init' || command === 'init phase certs all') return certificateAuthorityNames;
  return certificateAuthorityNames.filter((name) => command === `init phase certs ${name}`);
}

export type LostAuthorities = Readonly<Partial<Record<CertificateAuthorityName, LostAuthority>>>;

/**
 * Looks for CAs that are gone while something that hangs on them is here. Our own order makes a CA first, so that this is never left by
 * an init that was killed; another CA of the same name would make all of that useless.
 *
 * @param names of the CAs that are looked for
 * @throws what the port throws
 */
export async function lostAuthorities(
  context: InitContext,
  files: Pick<Host['files'], 'status' | 'read'>,
  names: readonly CertificateAuthorityName[] = certificateAuthorityNames,
): Promise<LostAuthorities> {
  const layout = layoutOf(context);
  const isThere = async (path: string) => (await files.status(path)) !== undefined;
  const existing = async (paths: readonly string[]) => {
    const found = await Promise.all(paths.map(async (path) => ((await isThere(path)) ? [path] : [])));
    return found.flat();
  };
  const placeOf = (artifact: (typeof certificateArtifacts)[number]['certificate']) =>
    formatLocation(artifact.where(layout));
  const lost: Partial<Record<CertificateAuthorityName, LostAuthority>> = {};
  for (const { row, certificate, key } of certificateArtifacts) {
    if (
      !isAuthority(row) ||
      !names.includes(row.name) ||
      (row.name === 'etcd-ca' && context.cluster.etcd.external !== undefined)
    )
      continue;
    const [place, keyPlace] = [placeOf(certificate), placeOf(key)];
    if (await isThere(place)) continue;
    const leaves = leafArtifactsOf(row.name);
    const certificates = await existing(leaves.map((leaf) => placeOf(leaf.certificate)));
    const keys = await existing(leaves.map((leaf) => placeOf(leaf.key)));
    const isOfCluster = row.name === 'ca';
    const kubeconfigs = isOfCluster ? await existing(ownKubeconfigs(context)) : [];
    const data = isOfCluster && (await hasData(context, isThere)) ? { data: layout.etcdData } : {};
    if (certificates.length === 0 && kubeconfigs.length === 0 && data.data === undefined) continue;
    const { name } = row;
    const hasKey = await isThere(keyPlace);
    const isUnanswered = !hasKey && certificates.length === 0 && data.data === undefined;
    const isAwaited = isUnanswered && (await allWait(kubeconfigs, files)) ? { isAwaited: true as const } : {};
    lost[name] = { name, place, keyPlace, hasKey, certificates, keys, kubeconfigs, ...data, ...isAwaited };
  }
  return lost;
}

async function allWait(kubeconfigs: readonly string[], files: Pick<Host['files'], 'read'>): Promise<boolean> {
  for (const path of kubeconfigs) {
    const content = await files.read(path);
    if (content === undefined || waitingKey(new TextDecoder().decode(content.bytes)) === undefined) return false;
  }
  return true;
}

/** Another kubeconfig that is used in place of admin.conf is none of ours. */
function ownKubeconfigs(context: InitContext): readonly string[] {
  const layout = layoutOf(context);
  return Object.entries(kubeconfigArtifacts)
    .filter(([name]) => name !== 'admin.conf' || context.adminKubeconfig === undefined)
    .map(([, artifact]) => formatLocation(artifact.where(layout)));
}

/** Whoever takes data over on purpose says so to the pre-flight checks, as with kubeadm. */
async function hasData(context: InitContext, isThere: (path: string) => Promise<boolean>): Promise<boolean> {
  const { etcdData } = layoutOf(context);
  if (context.cluster.etcd.external !== undefined) return false;
  const check = `diravailable-${etcdData.replaceAll('/', '-')}`.toLowerCase();
  if (context.ignorePreflightErrors.some((name) => name === 'all' || name === check)) return false;
  return isThere(`${etcdData}/member`);
}

/** The folder in which the CA of this node really is, where that is another one than the configuration says. */
export async function certificatesElsewhere(
  context: InitContext,
  { node, files }: { readonly node: ReadNode; readonly files: Host['files'] },
): Promise<string | undefined> {
  const folder = certificatesDirOf(node.artifacts) ?? (node.isUsualPki ? usualLayout.pki : undefined);
  if (folder === undefined || folder === layoutOf(context).pki) return undefined;
  return (await files.status(`${folder}/ca.crt`)) === undefined ? undefined : folder;
}

/** How many things that hang on a CA are named. */
const named = 8;

export function dependantsText({ certificates, kubeconfigs, data }: LostAuthority): string {
  const ofEtcd = data === undefined ? [] : [`the data of etcd in ${data}`];
  return [listed([...certificates, ...kubeconfigs]), ...ofEtcd].filter(Boolean).join(', ');
}

function listed(all: readonly string[]): string {
  const more = all.length - named;
  return [...all.slice(0, named), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** How to go on where a CA is kept elsewhere and has not answered yet. */
export function awaitedRemedy(waiting: readonly string[]): string {
  return `import the certificate of the CA with what it has signed: groundplane certs import FILE; see what is needed: groundplane certs requests. For a CA of this node move away what waits: ${listed(waiting)}`;
}

/** How to go on where a CA is lost, as the begin of a sentence in the middle of one. */
export function authorityRemedy(authority: LostAuthority): string {
  const { keys, kubeconfigs, isAwaited } = authority;
  return isAwaited ? awaitedRemedy([...keys, ...kubeconfigs]) : restoringRemedy(authority);
}

function restoringRemedy({ place, keyPlace, hasKey, kubeconfigs, certificates, keys, name }: LostAuthority): string {
  const [kubeconfig] = kubeconfigs;
  const files = hasKey ? place : `${place} and ${keyPlace}`;
  const embedded =
    kubeconfig === undefined
      ? ''
      : `; the certificate${hasKey ? '' : ', though not the key,'} still is in every kubeconfig as certificate-authority-data: ${extraction(kubeconfig, place)}`;
  // Nothing beyond these files hangs on a CA that is not the one of the cluster.
  const anew =
    name === 'ca'
      ? ''
      : `; or else move ${[...certificates, ...keys].join(', ')} away, so that another CA and they are made anew`;
  return `put ${files} back from a backup${embedded}${anew}`;
}

/** The command that takes the certificate of the CA out of a kubeconfig. */
export function extraction(kubeconfig: string, place: string): string {
  return `sed -n 's/^ *certificate-authority-data: //p' ${kubeconfig} | base64 -d > ${place}`;
}

/** @param elsewhere the folder in which the CA of this node is, where that is known to be another one */
export function authorityLost(authority: LostAuthority, elsewhere: string | undefined) {
  const { place, name, isAwaited, keys, kubeconfigs } = authority;
  if (isAwaited)
    return bootstrapError(
      'BOOTSTRAP_AUTHORITY_MISSING',
      `Cannot make a CA at ${place} as keys wait for certificates of one that is kept elsewhere: ${listed([...keys, ...kubeconfigs])}`,
      { hint: withCapitalInitial(authorityRemedy(authority)) },
    );
  const message = `Cannot make another CA at ${place} as what hangs on the one that is missing would be good for nothing: ${dependantsText(authority)}`;
  if (elsewhere !== undefined && name === 'ca')
    return bootstrapError('BOOTSTRAP_AUTHORITY_MISSING', `${message}; the CA of this node is in ${elsewhere}`, {
      hint: `Give the configuration that this node was made with: --config FILE, or --cert-dir ${elsewhere}`,
    });
  const remedy = authorityRemedy(authority);
  const giveUp = name === 'ca' ? '. Only to give up this node and what its cluster holds: groundplane reset' : '';
  return bootstrapError('BOOTSTRAP_AUTHORITY_MISSING', message, {
    hint: `${withCapitalInitial(remedy)}${giveUp}`,
  });
}
