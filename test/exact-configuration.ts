import { caseFolder, type SandboxNode } from './sandbox-node.ts';

/** A configuration for which the real kubeadm and we make the files of a control-plane node. */
export interface ExactConfiguration extends Omit<SandboxNode, 'steps'> {
  /** Arguments of each step, without the program. */
  readonly steps: readonly (readonly string[])[];
}

export type Fields = Readonly<Record<string, unknown>>;

export interface ConfigurationRow extends Omit<SandboxNode, 'steps' | 'files'> {
  /** Fields of ClusterConfiguration. */
  readonly cluster?: Fields;
  /** Fields of InitConfiguration. */
  readonly init?: Fields;
  /** Name → text below the folder of patches, which then is part of the configuration. */
  readonly patches?: Readonly<Record<string, string>>;
  /** Phases to run. @default all that make files of the control plane */
  readonly phases?: readonly string[];
  /** Phase → flags, in place of a configuration file. */
  readonly flags?: Readonly<Record<string, readonly string[]>>;
  /** More files of the case. */
  readonly files?: Readonly<Record<string, string>>;
}

const allPhases = ['certs all', 'kubeconfig all', 'control-plane all', 'etcd local'];
/** For what certificates and kubeconfigs do not depend on. */
export const manifestPhases: readonly string[] = ['control-plane all', 'etcd local'];
const apiVersion = 'kubeadm.k8s.io/v1beta4';
const criSocket = 'unix:///var/run/containerd/containerd.sock';

/** The row as steps and files. */
export function exactConfiguration({
  cluster,
  init,
  patches = {},
  phases,
  flags,
  files,
  ...node
}: ConfigurationRow): ExactConfiguration {
  if (flags !== undefined) {
    const steps = Object.entries(flags).map(([phase, words]) => ['init', 'phase', ...phase.split(' '), ...words]);
    return { ...node, steps, files: { ...files, ...below('patches', patches) } };
  }
  const nodeRegistration = { criSocket, ...(init?.nodeRegistration as Fields | undefined) };
  const documents = [
    { apiVersion, kind: 'InitConfiguration', ...init, nodeRegistration, ...patchesField(patches) },
    {
      apiVersion,
      kind: 'ClusterConfiguration',
      kubernetesVersion: 'v1.37.2',
      encryptionAlgorithm: 'ECDSA-P256',
      ...cluster,
    },
  ];
  const config = documents.map((document) => JSON.stringify(document, undefined, 1)).join('\n---\n');
  return {
    ...node,
    steps: (phases ?? allPhases).map((phase) => [
      'init',
      'phase',
      ...phase.split(' '),
      '--config',
      `${caseFolder}/config.yaml`,
    ]),
    files: { ...files, 'config.yaml': config, ...below('patches', patches) },
  };
}

function patchesField(patches: Readonly<Record<string, string>>): Fields {
  return Object.keys(patches).length === 0 ? {} : { patches: { directory: `${caseFolder}/patches` } };
}

function below(folder: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}

/** `name=value` as extraArgs. */
export function args(...pairs: readonly string[]): readonly Fields[] {
  return pairs.map((pair) => {
    const [name, ...value] = pair.split('=');
    return { name, value: value.join('=') };
  });
}

/** A strategic merge patch. */
export function annotation(name: string): string {
  return `metadata:\n  annotations:\n    ${name}: "1"\n`;
}

export function local(fields: Fields): Fields {
  return { etcd: { local: fields } };
}

export function external(fields: Fields): Fields {
  return { etcd: { external: fields } };
}

export function networking(serviceSubnet: string, podSubnet = ''): Fields {
  return { networking: { serviceSubnet, podSubnet } };
}

export function advertise(advertiseAddress: string, bindPort = 6443): Fields {
  return { localAPIEndpoint: { advertiseAddress, bindPort } };
}
