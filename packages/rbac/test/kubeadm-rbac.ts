import { parseYaml } from '@groundplane/manifest';
import type { RbacObject } from '../src/rbac-objects.ts';

/** The kubeadm phases whose dry run shows the RBAC objects of a writer. */
export const kubeadmPhases = {
  'bootstrap-token': ['bootstrap-token'],
  'upload-config/kubeadm': ['upload-config', 'kubeadm'],
  'upload-config/kubelet': ['upload-config', 'kubelet'],
  'upload-certs': ['upload-certs', '--upload-certs'],
  'addon/kube-proxy': ['addon', 'kube-proxy'],
  'addon/coredns': ['addon', 'coredns'],
} as const;

/** The RBAC objects in the output of a kubeadm dry run, in their order. */
export function rbacObjectsOf(output: string): RbacObject[] {
  return [...output.matchAll(/Attached object:\n([\s\S]*?\n)\n/g)]
    .map(([, text = '']) => parseYaml(text) as RbacObject)
    .filter(({ apiVersion }) => apiVersion === 'rbac.authorization.k8s.io/v1');
}

/** Subjects of kubeadm's lack the API group that the API server fills in. */
export function withDefaults(object: RbacObject): RbacObject {
  if (!('subjects' in object)) return object;
  const subjects = (object.subjects ?? []).map((subject) =>
    subject.kind === 'ServiceAccount' ? subject : { ...subject, apiGroup: 'rbac.authorization.k8s.io' },
  );
  return { ...object, subjects };
}
