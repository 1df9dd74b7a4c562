export type { DuplicateKey } from './construct-value.ts';
export { decodeText } from './decode-text.ts';
export { manifestErrorCodes } from './error-codes.ts';
export {
  type FieldProblem,
  type FieldRule,
  type FieldTypes,
  fieldTypeProblems,
  type TypedDocument,
} from './field-type-problems.ts';
export {
  type ClusterRole,
  type ClusterRoleBinding,
  type Condition,
  type ConfigMap,
  type KubernetesObject,
  type NamedObject,
  type Node,
  type ObjectMeta,
  type PolicyRule,
  type Role,
  type RoleBinding,
  type RoleRef,
  rbacApiGroup,
  type Secret,
  type ServiceAccount,
  type Status,
  type Subject,
  type Taint,
} from './kubernetes-objects.ts';
export { objectReference } from './object-reference.ts';
export { type ParsedDocument, type ParseYamlOptions, parseDocuments, parseYaml } from './parse-yaml.ts';
export type {
  Container,
  ContainerPort,
  ContainerStatus,
  EnvVar,
  HostPathType,
  HttpGetAction,
  Pod,
  PodSpec,
  PodStatus,
  Probe,
  Toleration,
  Volume,
  VolumeMount,
} from './pod.ts';
export { normalQuantity, quantityAtMost } from './quantity.ts';
export { type DocumentText, splitDocuments } from './split-documents.ts';
export { stringifyYaml } from './stringify-yaml.ts';
export { sameObject, subsetDifferences } from './subset-differences.ts';
export { unifiedDiff } from './unified-diff.ts';
export type { DaemonSet, Deployment, LabelSelector, PodTemplate, Service, ServicePort } from './workloads.ts';
