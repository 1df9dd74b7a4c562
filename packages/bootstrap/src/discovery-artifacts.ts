import { clusterInfoReference, tokenSecretName, tokenSecretNamespace } from '@groundplane/discovery';
import {
  type ConfigMap,
  parseYaml,
  type Role,
  type RoleBinding,
  rbacApiGroup,
  type Secret,
  sameObject,
  stringifyYaml,
} from '@groundplane/manifest';
import type { Artifact } from '@groundplane/phases';
import { type RbacObject, rbacObjects } from '@groundplane/rbac';
import { kubeletAccessName, object } from './artifacts.ts';
import { apiObject, pemCertificate, pemPrivateKey } from './formats.ts';

/** What lets other nodes find this cluster, trust it and be let in. */

export const kubeSystem = 'kube-system';
const rbacVersion = `${rbacApiGroup}/v1`;

/** The certificates that control planes share, encrypted; it goes when its owner, a bootstrap token, expires. */
export const kubeadmCerts: Artifact<Secret> = {
  ...object<Secret>(
    'object/kubeadm-certs',
    'the encrypted certificates that control-plane nodes share',
    { apiVersion: 'v1', kind: 'Secret', namespace: kubeSystem, name: 'kubeadm-certs' },
    'ephemeral',
  ),
  secret: true,
};

const certsAccess = { apiVersion: rbacVersion, namespace: kubeSystem, name: 'kubeadm:kubeadm-certs' };

export const kubeadmCertsRole: Artifact<Role> = object(
  'object/role/kubeadm:kubeadm-certs',
  'allows reading kubeadm-certs',
  { ...certsAccess, kind: 'Role' },
);

export const kubeadmCertsBinding: Artifact<RoleBinding> = object(
  'object/rolebinding/kubeadm:kubeadm-certs',
  'gives joining nodes kubeadm-certs',
  { ...certsAccess, kind: 'RoleBinding' },
);

/** The Secrets of all bootstrap tokens, whoever made them. */
export const bootstrapTokens: Artifact<Secret> = {
  id: 'object/bootstrap-token-*',
  description: 'bootstrap tokens, with which nodes join',
  policy: 'ephemeral',
  secret: true,
  external: true,
  where: () => ({
    kind: 'objects',
    family: { apiVersion: 'v1', kind: 'Secret', namespace: tokenSecretNamespace, prefix: tokenSecretName('') },
  }),
  format: apiObject<Secret>('Secret'),
};

/** Address and CA of the cluster for those who join. The controller manager adds the signatures of the tokens. */
export const clusterInfo: Artifact<ConfigMap> = {
  ...object<ConfigMap>(
    'object/cluster-info',
    'address and CA of the cluster, signed by the bootstrap tokens',
    clusterInfoReference,
  ),
  format: {
    ...apiObject<ConfigMap>('ConfigMap'),
    // The signatures are over its bytes: another layout of the same kubeconfig is left as it is.
    satisfied: (desired, existing) => sameObject(withPlainKubeconfig(desired), withPlainKubeconfig(existing)),
  },
};

function withPlainKubeconfig({ data, ...rest }: ConfigMap): unknown {
  const { kubeconfig, ...others } = data ?? {};
  return { ...rest, data: { ...others, kubeconfig: kubeconfig && canonical(kubeconfig) } };
}

/** Equal for two texts of one document. */
function canonical(text: string): string {
  try {
    return stringifyYaml(withoutEmpty(parseYaml(text)));
  } catch {
    return text;
  }
}

function withoutEmpty(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return document;
  const isEmpty = (value: unknown) =>
    value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(document).filter(([, value]) => !isEmpty(value)));
}

/** An object of role-based access control with its place among the artifacts. */
export interface RbacArtifact {
  readonly artifact: Artifact<RbacObject>;
  readonly wanted: RbacObject;
}

/** What lets tokens do their work, by key; the API server's access to kubelets is the affair of a phase of its own. */
export const tokenAccess: Readonly<Record<string, RbacArtifact>> = Object.fromEntries(
  rbacObjects('bootstrap-token')
    .filter(({ metadata }) => metadata.name !== kubeletAccessName)
    .map((wanted) => {
      const { apiVersion, kind, metadata } = wanted;
      const { name, namespace } = metadata;
      const id = `object/${kind.toLowerCase()}/${name}`;
      const place = { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
      return [`${kind} ${name}`, { wanted, artifact: object<RbacObject>(id, `${kind} ${name}`, place) }];
    }),
);

/** Files of an etcd that is not ours; without one, or where the configuration names none, they are nowhere. */
function externalEtcdFile(key: 'caFile' | 'certFile' | 'keyFile'): Artifact<string> {
  const isKey = key === 'keyFile';
  return {
    id: `external-etcd/${key}`,
    description: `${key} of the external etcd`,
    policy: 'observe',
    external: true,
    ...(isKey ? { secret: true, mode: 0o600, maxMode: 0o640 } : {}),
    where(layout) {
      const path = layout.externalEtcd?.[key];
      return path ? { kind: 'file', path } : { kind: 'state', name: `etcd.external.${key}` };
    },
    format: isKey ? pemPrivateKey : pemCertificate,
  };
}

export const externalEtcdFiles = {
  caFile: externalEtcdFile('caFile'),
  certFile: externalEtcdFile('certFile'),
  keyFile: externalEtcdFile('keyFile'),
};

/** The kubelet's client certificate with its key, which the kubelet renews by itself. */
export const kubeletClientCertificate: Artifact<string> = {
  id: 'kubelet/pki/kubelet-client-current.pem',
  description: "the kubelet's own client certificate with its key",
  policy: 'observe',
  external: true,
  mode: 0o600,
  secret: true,
  where: (layout) => ({
    kind: 'file',
    path: layout.kubeletClientCertificate ?? `${layout.kubelet}/pki/kubelet-client-current.pem`,
  }),
  format: pemCertificate,
};
