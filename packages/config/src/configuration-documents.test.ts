import { readFileSync } from 'node:fs';
import { parseYaml } from '@groundplane/manifest';
import { expect, it } from 'vitest';
import { clusterDocument, initDocument, resolveSample } from '../test/sample-host.ts';
import { clusterConfigurationDocument, initConfigurationDocument } from './configuration-documents.ts';

const fixture = (name: string) => readFileSync(new URL(`../test/fixtures/${name}`, import.meta.url), 'utf8');

it('writes a full ClusterConfiguration as kubeadm does', () => {
  const { cluster } = resolveSample(fixture('full-input.yaml'));
  expect(clusterConfigurationDocument(cluster)).toBe(fixture('full-cluster.yaml'));
});

it('writes a full InitConfiguration as kubeadm does', () => {
  const { init } = resolveSample(fixture('full-input.yaml'));
  expect(initConfigurationDocument(init)).toBe(fixture('full-init.yaml'));
});

it('reads back what it writes', () => {
  const { init, cluster } = resolveSample(fixture('full-input.yaml'));
  const again = resolveSample(`${initConfigurationDocument(init)}---\n${clusterConfigurationDocument(cluster)}`);
  expect(again.init).toEqual(init);
  expect(again.cluster).toEqual(cluster);
  expect(again.warnings).toEqual([]);
});

it('keeps an empty list of taints', () => {
  const { init } = resolveSample(initDocument('nodeRegistration: {taints: []}'));
  expect(parseYaml(initConfigurationDocument(init))).toMatchObject({ nodeRegistration: { taints: [] } });
});

it('stores the version that it is told', () => {
  const { cluster } = resolveSample(clusterDocument());
  const text = clusterConfigurationDocument(cluster, { kubernetesVersion: 'ci/v1.38.0' });
  expect(parseYaml(text)).toMatchObject({ kubernetesVersion: 'ci/v1.38.0' });
});
