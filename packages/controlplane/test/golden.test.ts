import { readFileSync } from 'node:fs';
import { parseYaml, stringifyYaml } from '@groundplane/manifest';
import { describe, expect, it } from 'vitest';
import { renderStaticPod } from '../src/render-static-pod.ts';
import { verifyStaticPod } from '../src/verify-static-pod.ts';
import { componentsOf, factsOf, goldenConfigurations } from './golden-configurations.ts';

/** The golden files were written by kubeadm v1.37.2, see golden.peer.test.ts. */
describe.each(goldenConfigurations.map((row) => [row.name, row] as const))('manifests of %s', (name, row) => {
  const golden = (component: string): string =>
    readFileSync(new URL(`../testdata/1.37/${name}/${component}.yaml`, import.meta.url), 'utf8');

  it.each(componentsOf(row))('equal those of kubeadm: %s', (component) => {
    expect(stringifyYaml(renderStaticPod(component, factsOf(row)))).toBe(golden(component));
  });

  it.each(componentsOf(row))('of kubeadm pass verification: %s', (component) => {
    const findings = verifyStaticPod(component, parseYaml(golden(component)), factsOf(row));
    expect(findings.map(({ code, severity }) => ({ code, severity }))).toEqual(expectedFindings(name, component));
  });
});

/** kubeadm compares folders as texts and so leaves a folder unmounted; the API server would not find its certificate. */
function expectedFindings(name: string, component: string): readonly { code: string; severity: string }[] {
  const unmounted = [{ code: 'CONTROLPLANE_FILE_NOT_MOUNTED', severity: 'warning' }];
  // kubeadm writes what no kubelet takes: '..' in the host path of the certificates, and a variable from a Secret.
  const field = [{ code: 'CONTROLPLANE_MANIFEST_FIELD', severity: 'warning' }];
  if (name === 'certificates-directory' && component !== 'kube-scheduler') return field;
  if (name === 'extra-environment' && component === 'kube-scheduler') return field;
  if (component !== 'kube-apiserver') return [];
  // The user's own doing: all certificates come from another folder.
  if (name === 'extra-volumes')
    return Array.from({ length: 13 }, () => ({ code: 'CONTROLPLANE_FILE_ELSEWHERE', severity: 'warning' }));
  // extra-arguments names /x.crt without mounting it, the user's own doing.
  return ['external-etcd-covered', 'extra-arguments'].includes(name) ? unmounted : [];
}
