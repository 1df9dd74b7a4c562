import type { ClusterObject, ObjectReference } from '@groundplane/phases';
import { decodeBase64 } from '@groundplane/pki';

/** What a kubelet asks a certificate for (KEP-1513; k8s.io/api/certificates/v1, signer names). */
export const kubeletSigners = {
  client: 'kubernetes.io/kube-apiserver-client-kubelet',
  serving: 'kubernetes.io/kubelet-serving',
} as const;

export type KubeletRequestPurpose = keyof typeof kubeletSigners;

/**
 * `pending` nobody has decided · `approved` it waits for its certificate · `issued` it has one ·
 * `denied` somebody has refused it · `failed` a signer has given it up.
 */
export type KubeletRequestState = 'pending' | 'approved' | 'issued' | 'denied' | 'failed';

/** A CertificateSigningRequest of the API (certificates.k8s.io/v1) as plain data. */
export interface KubeletRequest {
  readonly name: string;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly signerName: string;
  /** Absent where the signer is none of those of kubelets. */
  readonly purpose: KubeletRequestPurpose | undefined;
  /** Who asked: the API server has filled that in. */
  readonly username: string;
  readonly groups: readonly string[];
  readonly usages: readonly string[];
  readonly expirationSeconds: number | undefined;
  /** The text of spec.request; empty if that is no base64. */
  readonly text: string;
  readonly state: KubeletRequestState;
}

export const kubeletRequestKind = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest' } as const;

export function kubeletRequestReference(name: string): ObjectReference {
  return { ...kubeletRequestKind, name };
}

/** How requests of kubelets are called among artifacts, and where the one of a name is. */
export const kubeletRequestArtifact: {
  readonly id: string;
  readonly reference: (name: string) => ObjectReference;
} = { id: 'kubelet-request', reference: kubeletRequestReference };

/** A condition of the status, as far as it decides anything, with why and when. */
interface Condition {
  readonly type?: unknown;
  readonly status?: unknown;
  readonly reason?: unknown;
  readonly message?: unknown;
  readonly lastUpdateTime?: unknown;
}

interface Fields {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: { readonly conditions?: unknown; readonly certificate?: unknown };
}

/** Reads a CertificateSigningRequest. Fields that are not what they should be count as absent, and are missed when it is judged. */
export function readKubeletRequest(object: ClusterObject): KubeletRequest {
  const { spec = {}, status = {} } = object as ClusterObject & Fields;
  const { name, uid, resourceVersion } = object.metadata;
  const signerName = textOf(spec.signerName);
  const purposes = Object.keys(kubeletSigners) as readonly KubeletRequestPurpose[];
  return {
    ...{ name, uid, resourceVersion, signerName },
    purpose: purposes.find((purpose) => kubeletSigners[purpose] === signerName),
    username: textOf(spec.username),
    groups: textsOf(spec.groups),
    usages: textsOf(spec.usages),
    expirationSeconds: typeof spec.expirationSeconds === 'number' ? spec.expirationSeconds : undefined,
    text: new TextDecoder().decode(decodeBase64(textOf(spec.request)) ?? new Uint8Array()),
    state: textOf(status.certificate) !== '' ? 'issued' : decisionIn(conditionsOf(object)),
  };
}

/** The conditions of a request, as they are. */
export function conditionsOf(object: ClusterObject): readonly Condition[] {
  const { status = {} } = object as ClusterObject & Fields;
  return Array.isArray(status.conditions) ? status.conditions : [];
}

/** One that is both counts as refused. */
const decisions = [
  ['Denied', 'denied'],
  ['Failed', 'failed'],
  ['Approved', 'approved'],
] as const;

/** A condition that is no longer or not yet true decides nothing (k8s.io/kubernetes, pkg/controller/certificates). */
function decisionIn(conditions: readonly Condition[]): KubeletRequestState {
  const made = new Set(conditions.filter(({ status }) => status === 'True').map(({ type }) => type));
  return decisions.find(([type]) => made.has(type))?.[1] ?? 'pending';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
