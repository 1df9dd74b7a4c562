import { describe, expect, it } from 'vitest';
import { sampleConfiguration, sampleJoin } from '../test/sample-node.ts';
import { preflightCatalog, preflightCatalogRow } from './preflight-catalog.ts';
import { imagePullChecks, initPreflightChecks, joinPreflightChecks } from './preflight-checks.ts';
import { preflightNames } from './run-preflight.ts';

describe('the catalogue', () => {
  const { localEtcd: _local, ...rest } = sampleConfiguration;
  const configurations = [
    { ...sampleConfiguration, families: ['ipv4', 'ipv6'] as const, kubernetesVersion: 'v1.31.0' },
    { ...rest, externalEtcd: { httpEndpoints: ['http://e'], caFile: '/ca.crt' } },
  ];
  const names = configurations.flatMap((configuration) =>
    preflightNames([...initPreflightChecks, ...imagePullChecks], configuration),
  );

  it('has every check of init', () => {
    expect(names.filter((name) => !preflightCatalogRow(name)?.usedBy.includes('init'))).toEqual([]);
  });

  it('has no check of init that does not exist', () => {
    const found = new Set(names.map((name) => preflightCatalogRow(name)));
    expect(preflightCatalog.filter((row) => row.usedBy.includes('init') && !found.has(row))).toEqual([]);
  });

  it('has every check of join, and no other', () => {
    const joins = [{ ...sampleJoin, families: ['ipv4', 'ipv6'] as const, kubernetesVersion: 'v1.31.0' }].flatMap(
      (configuration) => preflightNames(joinPreflightChecks, configuration),
    );
    const found = new Set(joins.map((name) => preflightCatalogRow(name)));
    expect(preflightCatalog.filter((row) => row.usedBy.includes('join') !== found.has(row))).toEqual([]);
  });

  it.each([
    ['swap', 'Swap'],
    ['FileAvailable--etc-kubernetes-manifests-etcd.yaml', 'FileAvailable--etc-kubernetes-manifests-*'],
    ['FileAvailable--etc-kubernetes-pki-ca.crt', 'FileAvailable-*'],
    ['PORT-10250', 'Port-10250'],
    ['Port-6443', 'Port-*'],
    ['Port-', undefined],
    ['Swap2', undefined],
    ['', undefined],
  ])('%s is %s', (name, row) => {
    expect(preflightCatalogRow(name)?.name).toBe(row);
  });
});
