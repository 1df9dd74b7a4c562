import { clusterConfigurationDocument, componentConfigHash, componentConfigHashAnnotation } from '@groundplane/config';
import { type ConfigMap, type Role, type RoleBinding, sameObject, stringifyYaml } from '@groundplane/manifest';
import { type AnyPhase, type Artifact, contract } from '@groundplane/phases';
import { type RbacWriter, rbacObjects } from '@groundplane/rbac';
import {
  adminKubeconfig,
  clusterAdminsBinding,
  kubeadmConfigMap,
  kubeadmConfigRole,
  kubeadmConfigRoleBinding,
  kubeletConfigMap,
  kubeletConfigRole,
  kubeletConfigRoleBinding,
} from './artifacts.ts';
import { bootstrapFinding } from './error-codes.ts';
import type { InitContext } from './init-context.ts';

const init = contract<InitContext>();

interface UploadRow {
  readonly name: RbacWriter & `upload-config/${string}`;
  readonly summary: string;
  readonly configuration: readonly string[];
  readonly configMap: Artifact<ConfigMap>;
  readonly role: Artifact<Role>;
  readonly roleBinding: Artifact<RoleBinding>;
  readonly data: (
    context: InitContext,
  ) => Promise<Pick<ConfigMap, 'data'> & { readonly annotations?: Record<string, string> }>;
}

const rows: readonly UploadRow[] = [
  {
    name: 'upload-config/kubeadm',
    summary: 'Upload the kubeadm ClusterConfiguration to a ConfigMap',
    configuration: ['ClusterConfiguration'],
    configMap: kubeadmConfigMap,
    role: kubeadmConfigRole,
    roleBinding: kubeadmConfigRoleBinding,
    data: async ({ cluster, storedKubernetesVersion }) => ({
      data: {
        ClusterConfiguration: clusterConfigurationDocument(cluster, { kubernetesVersion: storedKubernetesVersion }),
      },
    }),
  },
  {
    name: 'upload-config/kubelet',
    summary: 'Upload the kubelet component config to a ConfigMap',
    configuration: ['KubeletConfiguration'],
    configMap: kubeletConfigMap,
    role: kubeletConfigRole,
    roleBinding: kubeletConfigRoleBinding,
    async data({ kubelet, kubeletIsUserSupplied }) {
      const data = { kubelet: stringifyYaml(kubelet) };
      if (kubeletIsUserSupplied) return { data };
      return { data, annotations: { [componentConfigHashAnnotation]: await componentConfigHash({ data }) } };
    },
  },
];

/** The configuration that later commands and other nodes read, and who may read it (kubeadm: cmd/phases/init/uploadconfig.go). */
export const uploadConfigPhases: readonly AnyPhase<InitContext>[] = rows.map((row) =>
  init.definePhase({
    name: row.name,
    summary: row.summary,
    configuration: row.configuration,
    reads: { access: clusterAdminsBinding },
    writes: { configMap: row.configMap, role: row.role, roleBinding: row.roleBinding },
    connect: { kubeconfig: adminKubeconfig, endpoint: 'local' },
    render: async ({ config, outputs }) => outputs(await wanted(row, config)),
    async verify({ config, outputs }) {
      const desired = await wanted(row, config);
      return (['configMap', 'role', 'roleBinding'] as const)
        .filter((key) => !sameObject(desired[key], outputs[key]))
        .map((key) =>
          bootstrapFinding({
            code: 'BOOTSTRAP_OBJECT_DIFFERS',
            severity: 'error',
            artifact: row[key].id,
            message: `${desired[key].kind} ${desired[key].metadata.name} is not what ${row.name} writes`,
            hint: `Run it again: init phase ${row.name.replace('/', ' ')}`,
          }),
        );
    },
  }),
);

async function wanted(
  row: UploadRow,
  config: InitContext,
): Promise<{ configMap: ConfigMap; role: Role; roleBinding: RoleBinding }> {
  const { data, annotations } = await row.data(config);
  const objects = rbacObjects(row.name);
  const location = row.configMap.where({ kubernetes: '', pki: '', kubelet: '', etcdData: '', nodeName: '' });
  if (location.kind !== 'object') throw new TypeError(`Cannot write '${row.configMap.id}' as it is no object`);
  const { namespace = '', name } = location.reference;
  return {
    configMap: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, ...(annotations === undefined ? {} : { annotations }) },
      data: data ?? {},
    },
    role: objects.find((object) => object.kind === 'Role') as Role,
    roleBinding: objects.find((object) => object.kind === 'RoleBinding') as RoleBinding,
  };
}
