import { clusterDocument, initDocument } from './sample-host.ts';

/** A name and the text of a configuration file. */
export type Row = readonly [name: string, text: string];

export function kubeadmDocument(kind: string, ...lines: readonly string[]): string {
  return ['apiVersion: kubeadm.k8s.io/v1beta4', `kind: ${kind}`, ...lines, ''].join('\n');
}

export const joined = (...documents: readonly string[]): string => documents.join('---\n');

export const pin = 'caCertHashes: ["sha256:0000000000000000000000000000000000000000000000000000000000000000"]';
export const token = 'abcdef.0123456789abcdef';
export const tokenDiscovery = `discovery: {bootstrapToken: {token: ${token}, apiServerEndpoint: "192.0.2.1:6443", ${pin}}}`;

/** A JoinConfiguration that is good but for the lines given. */
export const join = (...lines: readonly string[]): string =>
  kubeadmDocument('JoinConfiguration', tokenDiscovery, ...lines);
/** A JoinConfiguration whose discovery by token has these fields. */
export const discovery = (fields: string): string =>
  kubeadmDocument('JoinConfiguration', `discovery: {bootstrapToken: {${fields}}}`);
export const file = (path: string, ...lines: readonly string[]): string =>
  kubeadmDocument('JoinConfiguration', `discovery: {file: {kubeConfigPath: ${path}}}`, ...lines);
export const reset = (...lines: readonly string[]): string => kubeadmDocument('ResetConfiguration', ...lines);
export const upgrade = (...lines: readonly string[]): string => kubeadmDocument('UpgradeConfiguration', ...lines);
export const kubelet = (...lines: readonly string[]): string =>
  ['apiVersion: kubelet.config.k8s.io/v1beta1', 'kind: KubeletConfiguration', ...lines, ''].join('\n');
export const proxy = (...lines: readonly string[]): string =>
  ['apiVersion: kubeproxy.config.k8s.io/v1alpha1', 'kind: KubeProxyConfiguration', ...lines, ''].join('\n');
export const withVersion = (apiVersion: string, kind: string, ...lines: readonly string[]): string =>
  [`apiVersion: ${apiVersion}`, `kind: ${kind}`, ...lines, ''].join('\n');
export const network = (fields: string, ...lines: readonly string[]): string =>
  clusterDocument(`networking: {${fields}}`, ...lines);
export const node = (fields: string): string => initDocumentOf(`nodeRegistration: {${fields}}`);
/** With a version, so that nothing is looked up. */
export const initDocumentOf = (...lines: readonly string[]): string =>
  joined(initDocument(...lines), clusterDocument());
export const etcd = (fields: string): string => clusterDocument(`etcd: {${fields}}`);
