import {
  clusterConfigurationDocument,
  componentConfigHash,
  componentConfigHashAnnotation,
  defaultGroundplaneConfiguration,
  groundplaneConfigurationDocument,
} from '@groundplane/config';
import { type ConfigMap, type Role, type RoleBinding, sameObject, stringifyYaml } from '@groundplane/manifest';
import { type AnyPhase, contract, phaseCommand, whereApplicable } from '@groundplane/phases';
import { type RbacWriter, rbacObjects } from '@groundplane/rbac';
import {
  adminKubeconfig,
  apiserverKubeletClientBinding,
  clusterAdminsBinding,
  groundplaneConfig,
  kubeadmConfig,
  kubeletConfig,
  type SharedConfiguration,
} from './artifacts.ts';
import { clusterSignerAnnotation, noClusterSigner } from './cluster-signer-annotation.ts';
import { bootstrapFinding } from './error-codes.ts';
import type { InitContext } from './init-context.ts';
import { objectsDemands } from './object-demands.ts';
import { groundplaneConfigKey } from './stored-settings.ts';

const init = contract<InitContext>();

interface UploadRow {
  readonly name: RbacWriter & `upload-config/${string}`;
  readonly summary: string;
  readonly configuration: readonly string[];
  readonly artifacts: SharedConfiguration;
  readonly content: (context: InitContext) => Promise<Content>;
  readonly inapplicable?: (context: InitContext) => string | undefined;
  /** Annotations of the ConfigMap that stay as they are. */
  readonly kept?: (context: InitContext) => readonly string[];
}

interface Content {
  readonly data: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

const rows: readonly UploadRow[] = [
  {
    // First, so that whoever can read the configuration of the cluster can read this as well.
    name: 'upload-config/groundplane',
    summary: 'Upload the GroundplaneConfiguration, if one is given, to a ConfigMap',
    configuration: ['GroundplaneConfiguration'],
    artifacts: groundplaneConfig,
    inapplicable: ({ groundplane }) => (groundplane === undefined ? 'no GroundplaneConfiguration is given' : undefined),
    content: async ({ groundplane = defaultGroundplaneConfiguration }) => ({
      data: { [groundplaneConfigKey]: groundplaneConfigurationDocument(groundplane) },
    }),
  },
  {
    name: 'upload-config/kubeadm',
    summary: 'Upload the kubeadm ClusterConfiguration to a ConfigMap',
    configuration: ['ClusterConfiguration'],
    artifacts: kubeadmConfig,
    content: async ({ cluster, storedKubernetesVersion: kubernetesVersion, isWithoutClusterSigner = false }) => ({
      data: { ClusterConfiguration: clusterConfigurationDocument(cluster, { kubernetesVersion }) },
      ...(isWithoutClusterSigner ? { annotations: { [clusterSignerAnnotation]: noClusterSigner } } : {}),
    }),
    // Who does not know leaves what somebody has said.
    kept: ({ isWithoutClusterSigner }) => (isWithoutClusterSigner === undefined ? [clusterSignerAnnotation] : []),
  },
  {
    name: 'upload-config/kubelet',
    summary: 'Upload the kubelet component config to a ConfigMap',
    configuration: ['KubeletConfiguration'],
    artifacts: kubeletConfig,
    async content({ kubelet, kubeletIsUserSupplied }) {
      const data = { kubelet: stringifyYaml(kubelet) };
      // The hash says that it was generated, so that an upgrade may generate it anew.
      if (kubeletIsUserSupplied) return { data };
      return { data, annotations: { [componentConfigHashAnnotation]: await componentConfigHash({ data }) } };
    },
  },
];

/** The configuration that later commands and other nodes read, and who may read it (kubeadm: cmd/phases/init/uploadconfig.go). */
export const uploadConfigPhases: readonly AnyPhase<InitContext>[] = rows.map((row) => {
  const { configMap, role, roleBinding } = row.artifacts;
  return init.definePhase({
    name: row.name,
    summary: row.summary,
    configuration: row.configuration,
    ...(row.inapplicable === undefined ? {} : { inapplicable: row.inapplicable }),
    // With the kubelets' configuration goes the right of the API server to reach them, also when phases run one by one.
    reads: { access: whereApplicable(clusterAdminsBinding), kubeletAccess: apiserverKubeletClientBinding },
    writes: { configMap, role, roleBinding },
    connect: { kubeconfig: adminKubeconfig, endpoint: 'local' },
    demands: async (config) => objectsDemands({ ...(await wantedObjects(row, config)) }, 'BOOTSTRAP_OBJECT_DIFFERS'),
    render: async ({ config, existing, outputs }) => {
      const wanted = await wantedObjects(row, config);
      const kept = keptAnnotations(existing.configMap, row.kept?.(config));
      return outputs({ ...wanted, configMap: annotated(wanted.configMap, kept) });
    },
    async verify({ config, outputs }) {
      const wanted = await wantedObjects(row, config);
      return (['configMap', 'role', 'roleBinding'] as const)
        .filter((key) => !sameObject(wanted[key], outputs[key]))
        .map((key) =>
          bootstrapFinding({
            code: 'BOOTSTRAP_OBJECT_DIFFERS',
            severity: 'error',
            artifact: row.artifacts[key].id,
            message: `${wanted[key].kind} ${wanted[key].metadata.name} is not what ${row.name} writes`,
            hint: `Run it again: ${phaseCommand('init', row.name)}`,
          }),
        );
    },
  });
});

interface UploadedObjects {
  readonly configMap: ConfigMap;
  readonly role: Role;
  readonly roleBinding: RoleBinding;
}

async function wantedObjects(
  { name: writer, artifacts, content }: UploadRow,
  config: InitContext,
): Promise<UploadedObjects> {
  const { name, namespace } = artifacts;
  const { data, annotations } = await content(config);
  const objects = rbacObjects(writer);
  const metadata = { name, namespace, ...(annotations === undefined ? {} : { annotations: { ...annotations } }) };
  return {
    configMap: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { ...data } },
    role: objects.find((object) => object.kind === 'Role') as Role,
    roleBinding: objects.find((object) => object.kind === 'RoleBinding') as RoleBinding,
  };
}

type Annotations = Readonly<Record<string, string>>;

function keptAnnotations(existing: ConfigMap | undefined, names: readonly string[] = []): Annotations {
  const entries = Object.entries(existing?.metadata.annotations ?? {});
  return Object.fromEntries(entries.filter(([name]) => names.includes(name)));
}

function annotated(configMap: ConfigMap, annotations: Annotations): ConfigMap {
  if (Object.keys(annotations).length === 0) return configMap;
  const { metadata } = configMap;
  return { ...configMap, metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } } };
}
