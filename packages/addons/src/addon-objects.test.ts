import { readFileSync } from 'node:fs';
import {
  type ConfigMap,
  type DaemonSet,
  type NamedObject,
  objectReference,
  parseDocuments,
} from '@groundplane/manifest';
import { describe, expect, it } from 'vitest';
import { type AddonRow, addonRows, goldenFile } from '../test/addon-rows.ts';
import { coreDns } from './core-dns.ts';
import { apiServerEnvironment, namesApiServer, withEnvironment } from './environment.ts';
import { kubeProxy } from './kube-proxy.ts';

/** Taken from dry runs of kubeadm v1.37.2, see test/kubeadm-addons.peer.test.ts. */
function goldens(row: AddonRow, addon: 'coredns' | 'kube-proxy'): readonly NamedObject[] {
  return parseDocuments(readFileSync(goldenFile(row, addon), 'utf8')).map(({ value }) =>
    withoutZeros(value as NamedObject),
  );
}

/** Go writes what is not set in some places: an empty status, resources without any, a strategy of a rolling update. */
function withoutZeros(object: NamedObject): NamedObject {
  const { status, ...rest } = object as NamedObject & { readonly status?: unknown };
  return JSON.parse(JSON.stringify(rest), (_, value) => {
    return typeof value === 'object' && Object.keys(value).length === 0 ? undefined : value;
  });
}

const byReference = (objects: readonly NamedObject[]) =>
  Object.fromEntries(objects.map((object) => [objectReference(object), object]));

describe.each(addonRows)('as kubeadm: $name', (row) => {
  it('coreDns()', () => {
    const golden = goldens(row, 'coredns').map((object) => {
      // The version 0 is for kubeadm's update, which an apply does without.
      const { resourceVersion, ...metadata } = object.metadata;
      return { ...object, metadata };
    });
    expect(golden).toHaveLength(6);
    expect(byReference(Object.values(coreDns(row.coreDns)))).toEqual(byReference(golden));
  });

  it('kubeProxy()', () => {
    const golden = goldens(row, 'kube-proxy');
    const configMap = golden.find(({ kind }) => kind === 'ConfigMap') as ConfigMap;
    const { annotations, ...metadata } = configMap.metadata;
    expect(Object.keys(annotations ?? {})).toEqual(['kubeadm.kubernetes.io/component-config.hash']);
    const facts = { ...row.kubeProxy, configuration: `${configMap.data?.['config.conf']}\n` };
    expect(byReference(Object.values(kubeProxy(facts)))).toEqual({
      ...byReference(golden),
      [objectReference(configMap)]: { ...configMap, metadata },
      'RoleBinding kube-system/kube-proxy': withGroup(golden.find(({ kind }) => kind === 'RoleBinding')),
    });
  });
});

/** The API server fills in the group of a subject that is a group itself. */
function withGroup(binding: object | undefined): object {
  const { subjects } = binding as { readonly subjects: readonly object[] };
  return { ...binding, subjects: subjects.map((one) => ({ ...one, apiGroup: 'rbac.authorization.k8s.io' })) };
}

describe('coreDns()', () => {
  const facts = { image: 'example.com/coredns:v1', dnsDomain: 'example', clusterIP: '10.0.0.10' };

  it('keeps the number of pods and the Corefile that are given', () => {
    const { deployment, configMap } = coreDns({ ...facts, replicas: 5, corefile: 'own' });
    expect(deployment.spec.replicas).toBe(5);
    expect(configMap.data).toEqual({ Corefile: 'own' });
  });

  it('writes the identity, its rights and the Corefile before the pods', () => {
    const kinds = Object.values(coreDns(facts)).map(({ kind }) => kind);
    expect(kinds.at(-1)).toBe('Deployment');
    expect(kinds[0]).toBe('ServiceAccount');
  });
});

describe('withEnvironment()', () => {
  const { daemonSet } = kubeProxy({ image: 'i', server: 'https://192.0.2.1:6443', configuration: 'a: 1\n' });
  const namesIn = ({ spec }: DaemonSet) => spec.template.spec.containers.map(({ env = [] }) => env.map((v) => v.name));

  it('adds variables behind those of the container, and leaves the given object alone', () => {
    const result = withEnvironment(daemonSet, [{ name: 'NO_PROXY', value: '.local' }]);
    expect(namesIn(result)).toEqual([['NODE_NAME', 'NO_PROXY']]);
    expect(namesIn(daemonSet)).toEqual([['NODE_NAME']]);
  });

  it('leaves a variable that is there: a name that occurs twice would be refused', () => {
    const once = withEnvironment(daemonSet, [{ name: 'NO_PROXY', value: 'a' }]);
    const twice = withEnvironment(once, [
      { name: 'NO_PROXY', value: 'b' },
      { name: 'no_proxy', value: 'c' },
    ]);
    expect(twice.spec.template.spec.containers[0]?.env?.slice(1)).toEqual([
      { name: 'NO_PROXY', value: 'a' },
      { name: 'no_proxy', value: 'c' },
    ]);
  });

  it('touches only the first container, and none of a pod without any', () => {
    const { spec } = daemonSet;
    const withContainers = (containers: typeof spec.template.spec.containers): DaemonSet => ({
      ...daemonSet,
      spec: { ...spec, template: { ...spec.template, spec: { ...spec.template.spec, containers } } },
    });
    const [own] = spec.template.spec.containers;
    if (own === undefined) throw new Error('there is no container');
    const two = withEnvironment(withContainers([own, { name: 'side', image: 's' }]), [{ name: 'A', value: '1' }]);
    expect(namesIn(two)).toEqual([['NODE_NAME', 'A'], []]);
    expect(namesIn(withEnvironment(withContainers([]), [{ name: 'A', value: '1' }]))).toEqual([]);
  });
});

describe('apiServerEnvironment()', () => {
  const { deployment } = coreDns({ image: 'i', dnsDomain: 'cluster.local', clusterIP: '10.96.0.10' });

  it('is what clients in pods read, and is told from a Deployment without it', () => {
    const direct = withEnvironment(deployment, apiServerEnvironment({ host: '2001:db8::10', port: '6443' }));
    expect(direct.spec.template.spec.containers[0]?.env).toEqual([
      { name: 'KUBERNETES_SERVICE_HOST', value: '2001:db8::10' },
      { name: 'KUBERNETES_SERVICE_PORT', value: '6443' },
    ]);
    expect([namesApiServer(direct), namesApiServer(deployment)]).toEqual([true, false]);
  });
});
