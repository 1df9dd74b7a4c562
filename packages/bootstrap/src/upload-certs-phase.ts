import { isExpired, type NewBootstrapToken, parseToken, readTokenSecret, tokenSecret } from '@groundplane/discovery';
import { isGroundplaneError } from '@groundplane/errors';
import { type Role, type RoleBinding, type Secret, sameObject } from '@groundplane/manifest';
import { type AnyPhase, type Cluster, contract, type Files, optional, whereApplicable } from '@groundplane/phases';
import { rbacObjects } from '@groundplane/rbac';
import { adminKubeconfig, clusterAdminsBinding } from './artifacts.ts';
import { bootstrapTokens, kubeadmCerts, kubeadmCertsBinding, kubeadmCertsRole } from './discovery-artifacts.ts';
import { bootstrapFinding } from './error-codes.ts';
import { placeIn } from './findings-about.ts';
import type { InitContext } from './init-context.ts';
import { objectsDemands } from './object-demands.ts';
import { putSecret, secretReference } from './put-secret.ts';
import {
  encryptedData,
  holdsContents,
  type SharedContents,
  sharedArtifacts,
  sharedKeys,
} from './shared-certificates.ts';

/** How long joining control-plane nodes can fetch the certificates (kubeadm: constants.go, DefaultCertTokenDuration). */
const lifetimeMs = 2 * 3_600_000;

/** Who asks for an upload is to have about the usual time; what has less left is made again. */
const remainingMs = lifetimeMs / 2;
const metadata = { name: 'kubeadm-certs', namespace: 'kube-system' };
const reads = Object.fromEntries(Object.entries(sharedArtifacts).map(([key, artifact]) => [key, optional(artifact)]));

/** Shares certificates and keys with control-plane nodes that join, encrypted, for two hours (kubeadm: phases/copycerts). */
export const uploadCertsPhase: AnyPhase<InitContext> = contract<InitContext>().defineEffect({
  name: 'upload-certs',
  summary: 'Upload certificates to kubeadm-certs',
  configuration: ['certificateKey', 'certificatesDir', 'etcd.external'],
  inapplicable: ({ uploadCerts }) => (uploadCerts ? undefined : 'it is not asked for; see --upload-certs'),
  reads: { access: whereApplicable(clusterAdminsBinding), ...reads },
  writes: { role: kubeadmCertsRole, binding: kubeadmCertsBinding, secret: optional(kubeadmCerts) },
  amends: { tokens: optional(bootstrapTokens) },
  connect: { kubeconfig: adminKubeconfig, endpoint: 'local' },
  uses: ['cluster', 'host'],
  demands(config) {
    const keys = sharedKeys(config);
    const code = 'BOOTSTRAP_CERTIFICATES_NOT_SHARED';
    const text = `It holds ${keys.join(', ')}: each file of this node, encrypted with the certificate key (AES-256-GCM, 12 bytes of nonce before the ciphertext, base64), or empty where there is no such file`;
    return {
      ...objectsDemands(access(), code),
      secret: [
        { text, code, severity: 'error' },
        { text: `A bootstrap token owns it that lives at least ${remainingMs / 3_600_000} h`, code, severity: 'error' },
      ],
      tokens: [
        {
          text: `Made here: a token without usages that expires in ${lifetimeMs / 3_600_000} h and takes the Secret with it`,
        },
      ],
    };
  },
  render: ({ outputs }) => outputs({ ...access(), secret: undefined, tokens: undefined }),
  async verify({ config, ports: { cluster, host }, now }) {
    const contents = await contentsOf(host.files, config);
    const live = (await cluster.get(secretReference({ metadata }))) as Secret | undefined;
    const isWhole = live !== undefined && (await holdsContents(live.data ?? {}, contents, config.init.certificateKey));
    const { role, binding } = access();
    const given = await Promise.all(
      [role, binding].map(async (wanted) => {
        const { apiVersion, kind, metadata: { name, namespace = '' } } = wanted; // biome-ignore format: one line
        return sameObject(wanted, await cluster.get({ apiVersion, kind, namespace, name }));
      }),
    );
    return [
      ...(isWhole && (await isOwned(cluster, live, now)) ? [] : [missing('Secret kubeadm-certs', secretMessage)]),
      ...(given.every(Boolean) ? [] : [missing('Role kubeadm:kubeadm-certs', 'joining nodes may not read them')]),
    ];
  },
  async run({ config, ports: { cluster, host }, now, result }) {
    const { certificateKey } = config.init;
    const data = await encryptedData(await contentsOf(host.files, config), certificateKey);
    const owner = await putSecret(cluster, tokenSecret(ownerOf(config), { now }));
    const { name, uid = '' } = owner.metadata;
    const reference = { apiVersion: 'v1', kind: 'Secret', name, uid, controller: true, blockOwnerDeletion: true };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { ...metadata, ownerReferences: [reference] }, data };
    await putSecret(cluster, secret as Secret);
    if (!config.skipCertificateKeyPrint) result('certificateKey', certificateKey, { secret: true });
  },
});

const secretMessage =
  'it is not there, goes within the hour, or does not hold the certificates of this node under this key';

/** A token that lets nobody in: it is there to expire, and the Secret that it owns goes with it. */
function ownerOf({ certificatesOwner = '' }: InitContext): NewBootstrapToken {
  return {
    ...parseToken(certificatesOwner),
    description: 'Proxy for managing TTL for the kubeadm-certs secret',
    ttlMs: lifetimeMs,
    usages: [],
    groups: [],
  };
}

function access(): { readonly role: Role; readonly binding: RoleBinding } {
  const objects = rbacObjects('upload-certs');
  return {
    role: objects.find(({ kind }) => kind === 'Role') as Role,
    binding: objects.find(({ kind }) => kind === 'RoleBinding') as RoleBinding,
  };
}

/** The files as they are, byte for byte. */
async function contentsOf(files: Files, config: InitContext): Promise<SharedContents> {
  const entries = sharedKeys(config).map(async (key) => {
    const artifact = sharedArtifacts[key];
    const place = artifact === undefined ? '' : placeIn(config, artifact);
    const content = place.startsWith('/') ? await files.read(place) : undefined;
    return [key, content && new Uint8Array(content.bytes)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** True if a token owns the Secret that expires, but not within an hour: so it neither goes soon nor stays for ever. */
async function isOwned(cluster: Cluster, { metadata }: Secret, now: Date): Promise<boolean> {
  const { ownerReferences = [] } = metadata as { readonly ownerReferences?: readonly { name: string; uid: string }[] };
  const [owner] = ownerReferences;
  if (owner === undefined || !owner.name.startsWith('bootstrap-token-')) return false;
  const live = (await cluster.get({ apiVersion: 'v1', kind: 'Secret', namespace: 'kube-system', name: owner.name })) as
    | Secret
    | undefined;
  if (live === undefined || live.metadata.uid !== owner.uid) return false;
  try {
    const { expires } = readTokenSecret(live);
    return expires !== undefined && !isExpired({ expires }, new Date(now.getTime() + remainingMs));
  } catch (error) {
    if (isGroundplaneError(error)) return false;
    throw error;
  }
}

function missing(artifact: string, message: string) {
  return bootstrapFinding({
    code: 'BOOTSTRAP_CERTIFICATES_NOT_SHARED',
    severity: 'error',
    artifact,
    message: `${artifact}: ${message}`,
    hint: 'Upload them again: init phase upload-certs --upload-certs',
  });
}
