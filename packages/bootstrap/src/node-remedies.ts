import { currentContextOf, parseKubeconfig } from '@groundplane/kubeconfig';
import { type Artifact, formatLocation, type Host } from '@groundplane/phases';
import { type CertificateAuthorityName, isAuthority } from '@groundplane/pki';
import {
  certificateArtifacts,
  certificateArtifactsOf,
  kubeconfigArtifact,
  kubeconfigArtifacts,
  leafArtifactsOf,
  serviceAccountKey,
  serviceAccountPublicKey,
  staticPods,
} from './artifacts.ts';
import { type InitContext, layoutOf } from './init-context.ts';
import type { JoinContext } from './join-context.ts';
import { authorityRemedy, awaitedRemedy, extraction, lostAuthorities } from './lost-authorities.ts';
import { silently } from './node-facts.ts';
import { readText } from './read-text.ts';
import { newSigningKey } from './service-account-phase.ts';
import { exchangeRemedy } from './signing-requests.ts';

/** What somebody has to do by hand about a file that no phase makes as it was, by its absolute path. */
export type Remedies = ReadonlyMap<string, string>;

/** How a phase is called in advice: a command in quotes, or its name and how it is run. */
export type PhaseCall = (phase: string) => string;

type Files = Host['files'];

/** What is where: `unknown` who asks may not look. */
type Presence = 'there' | 'absent' | 'unknown';

async function presenceOf(path: string, files: Pick<Files, 'status'>): Promise<Presence> {
  try {
    return (await files.status(path)) === undefined ? 'absent' : 'there';
  } catch {
    return 'unknown';
  }
}

/** An error of reading says nothing about what is there. */
async function isBroken({ format }: Artifact<unknown>, path: string, files: Files): Promise<boolean> {
  const content = await silently(() => files.read(path));
  if (content === undefined) return false;
  try {
    format.parse(content.bytes);
    return false;
  } catch {
    return true;
  }
}

/** What the phases of init refuse to make on a control-plane node, or would make to its harm. */
export async function controlPlaneRemedies(
  context: InitContext,
  { files }: Host,
  phaseCall: PhaseCall,
): Promise<Remedies> {
  const layout = layoutOf(context);
  const placeOf = (artifact: Artifact<unknown>) => formatLocation(artifact.where(layout));
  const presence = (artifact: Artifact<unknown>) => presenceOf(placeOf(artifact), files);
  const remedies = new Map<string, string>();

  const authorities = certificateArtifacts.filter(({ row }) => isAuthority(row)).map(({ certificate }) => certificate);
  const broken = new Set<string>();
  for (const artifact of authorities)
    if (await isBroken(artifact, placeOf(artifact), files)) broken.add(placeOf(artifact));
  const unbroken = {
    status: async (path: string) => (broken.has(path) ? undefined : files.status(path)),
    read: (path: string) => files.read(path),
  };
  const lost = (await silently(() => lostAuthorities(context, unbroken))) ?? {};
  const ahead = new Map<CertificateAuthorityName, string>();
  const awaited = new Set<CertificateAuthorityName>();
  for (const authority of Object.values(lost)) {
    ahead.set(authority.name, authorityRemedy(authority));
    if (authority.isAwaited) awaited.add(authority.name);
  }
  for (const { row, certificate, key } of certificateArtifacts) {
    if (!isAuthority(row) || ahead.has(row.name) || broken.has(placeOf(certificate))) continue;
    if ((await presence(certificate)) !== 'absent' || (await presence(key)) !== 'absent') continue;
    const waiting: string[] = [];
    for (const leaf of leafArtifactsOf(row.name))
      if ((await presence(leaf.key)) === 'there') waiting.push(placeOf(leaf.key));
    if (waiting.length === 0) continue;
    ahead.set(row.name, awaitedRemedy(waiting));
    awaited.add(row.name);
  }
  for (const [name, remedy] of ahead) remedies.set(placeOf(certificateArtifactsOf(name).certificate), remedy);

  /** Why nothing can be signed here by a CA. */
  const unsignable = async (name: CertificateAuthorityName): Promise<string | undefined> => {
    const { certificate, key } = certificateArtifactsOf(name);
    if (awaited.has(name)) return `first bring ${placeOf(certificate)}: groundplane certs import FILE`;
    const before = ahead.get(name);
    if (before !== undefined) return `first ${before}`;
    if ((await presence(certificate)) !== 'there' || (await presence(key)) !== 'absent') return undefined;
    // The phase of what is missing has it signed.
    if (context.groundplane?.signer !== undefined) return undefined;
    return `have your CA sign it, as its key is not here: ${exchangeRemedy}. Or put the key of the CA at ${placeOf(key)}`;
  };

  for (const { row, certificate, key } of certificateArtifacts) {
    if (row.issuer === 'self') continue;
    const [place, keyPlace] = [placeOf(certificate), placeOf(key)];
    if ((await presence(certificate)) === 'there') {
      if ((await presence(key)) === 'absent')
        remedies.set(
          keyPlace,
          `put ${keyPlace} back, or move ${place} away and have both made anew: ${(await unsignable(row.issuer)) ?? phaseCall(`certs/${row.name}`)}`,
        );
      continue;
    }
    const reason = await unsignable(row.issuer);
    if (reason !== undefined) for (const path of [place, keyPlace]) remedies.set(path, reason);
  }
  const ofKubeconfigs = await unsignable('ca');
  if (ofKubeconfigs !== undefined)
    for (const artifact of Object.values(kubeconfigArtifacts))
      if ((await presence(artifact)) === 'absent') remedies.set(placeOf(artifact), ofKubeconfigs);

  const keys = await serviceAccountRemedy({ presence, placeOf }, phaseCall);
  if (keys !== undefined)
    for (const artifact of [serviceAccountKey, serviceAccountPublicKey]) remedies.set(placeOf(artifact), keys);
  return remedies;
}

interface Look {
  readonly presence: (artifact: Artifact<unknown>) => Promise<Presence>;
  readonly placeOf: (artifact: Artifact<unknown>) => string;
}

/** The keys are those of a cluster once an API server has been given them. */
async function serviceAccountRemedy({ presence, placeOf }: Look, phaseCall: PhaseCall): Promise<string | undefined> {
  if ((await presence(serviceAccountKey)) !== 'absent') return undefined;
  const [place, publicPlace] = [placeOf(serviceAccountKey), placeOf(serviceAccountPublicKey)];
  const publicKey = await presence(serviceAccountPublicKey);
  if (publicKey === 'there')
    return `put ${place} back from a backup; only without one move ${publicPlace} away and have both made anew, ${newSigningKey}: ${phaseCall('certs/sa')}`;
  const { certificate, key } = certificateArtifactsOf('ca');
  if ((await presence(certificate)) === 'there' && (await presence(key)) === 'absent')
    return `put ${place} and ${publicPlace} there, from where your CA is kept`;
  if (publicKey === 'unknown' || (await presence(staticPods['kube-apiserver'])) !== 'there') return undefined;
  return `put ${place} and ${publicPlace} back from a backup; only without one have both made anew, ${newSigningKey}: ${phaseCall('certs/sa')}`;
}

/** The CA of a worker's cluster: a join would look for its cluster first, and kubelet.conf has the CA as well. */
export async function workerRemedies(context: JoinContext, host: Host): Promise<Remedies> {
  const { caCertPath } = context.join;
  const kubeconfig = formatLocation(kubeconfigArtifact('kubelet.conf').where(layoutOf(context)));
  if ((await presenceOf(caCertPath, host.files)) !== 'absent') return new Map();
  const text = await silently(() => readText(host, kubeconfig));
  if (text === undefined) return new Map();
  const embedded = await silently(async () => currentContextOf(parseKubeconfig(text)).certificateAuthority);
  const remedy =
    embedded === undefined
      ? `put the CA certificate of the cluster at ${caCertPath}, from ${layoutOf(context).pki}/ca.crt of a control-plane node`
      : `put the CA certificate of the cluster there, which is in ${kubeconfig} as well: ${extraction(kubeconfig, caCertPath)}`;
  return new Map([[caCertPath, `${remedy}; then restart the kubelet: systemctl restart kubelet`]]);
}
