import { expect, it } from 'vitest';
import { findApiResource, singularOf } from './api-resources.ts';

it.each([
  ['configmaps', '', 'configmaps'],
  ['configmap', '', 'configmaps'],
  ['cm', '', 'configmaps'],
  ['ConfigMap', '', 'configmaps'],
  ['deployments.apps', 'apps', 'deployments'],
  ['deploy.apps', 'apps', 'deployments'],
  ['deployments.v1.apps', 'apps', 'deployments'],
  ['events', '', 'events'],
  ['events.events.k8s.io', 'events.k8s.io', 'events'],
  ['events.v1.', '', 'events'],
  ['csr', 'certificates.k8s.io', 'certificatesigningrequests'],
  ['networkpolicy', 'networking.k8s.io', 'networkpolicies'],
  ['groups', '', 'groups'],
  ['pods.v1.', '', 'pods'],
  ['signers', 'certificates.k8s.io', 'signers'],
  ['signers.certificates.k8s.io', 'certificates.k8s.io', 'signers'],
])('findApiResource() understands %s', (text, group, name) => {
  expect(findApiResource(text)).toMatchObject({ group, name });
});

it.each(['', 'things', 'pods.v1', 'deployments.batch', 'certificates.cert-manager.io'])(
  'findApiResource() knows no %j',
  (text) => {
    expect(findApiResource(text)).toBeUndefined();
  },
);

it.each([
  ['endpoints', 'endpoints'],
  ['networkpolicies', 'networkpolicy'],
  ['storageclasses', 'storageclass'],
  ['componentstatuses', 'componentstatus'],
  ['leases', 'lease'],
  ['pods', 'pod'],
])('singularOf(%s) is %s', (plural, singular) => {
  expect(singularOf(plural)).toBe(singular);
});
