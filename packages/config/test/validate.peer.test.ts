import { describe, expect, it } from 'vitest';
import { kubeadmDocument } from './document-makers.ts';
import { documentTable } from './document-table.ts';
import { fieldPathsIn, meansPath, ourVerdict, theirVerdict } from './verdicts.ts';

describe('config validate', () => {
  it('has a table that is worth running', () => {
    expect(documentTable.length).toBeGreaterThan(150);
    expect(new Set(documentTable.map(([name]) => name)).size).toBe(documentTable.length);
  });

  it.each(documentTable)('%s', (_name, text) => {
    const theirs = theirVerdict(text);
    const ours = ourVerdict(text);
    expect({ valid: ours.valid, theirs: theirs.output }).toEqual({ valid: theirs.valid, theirs: theirs.output });
    const expected = fieldPathsIn(theirs.output);
    expect(expected.filter((path) => !ours.paths.some((own) => meansPath(own, path)))).toEqual([]);
    if (expected.length === 0) return;
    expect(ours.paths.filter((own) => !expected.some((path) => meansPath(own, path)))).toEqual([]);
  });
});

const experimental = (kind: string, ...lines: readonly string[]) =>
  kubeadmDocument(kind, ...lines).replace('v1beta4', 'v1');

describe('config validate --allow-experimental-api', () => {
  it.each([
    ['cluster', experimental('ClusterConfiguration', 'kubernetesVersion: v1.37.2')],
    [
      'merge methods',
      experimental(
        'ClusterConfiguration',
        'kubernetesVersion: v1.37.2',
        'apiServer: {extraArgs: [{name: a, value: b, mergeMethod: append}, {name: a, value: b, mergeMethod: prepend}]}',
      ),
    ],
    [
      'a merge method that is none',
      experimental(
        'ClusterConfiguration',
        'kubernetesVersion: v1.37.2',
        'etcd: {local: {extraArgs: [{name: a, value: b, mergeMethod: x}]}}',
      ),
    ],
    ['reset', experimental('ResetConfiguration', 'force: true')],
    [
      'a merge method in v1beta4',
      kubeadmDocument('ClusterConfiguration', 'scheduler: {extraArgs: [{mergeMethod: append}]}'),
    ],
    ['v1beta3', kubeadmDocument('ClusterConfiguration').replace('v1beta4', 'v1beta3')],
  ])('%s', (_name, text) => {
    const theirs = theirVerdict(text, ['--allow-experimental-api']);
    const ours = ourVerdict(text, { allowExperimentalApi: true });
    expect(ours.valid).toBe(theirs.valid);
    const missed = fieldPathsIn(theirs.output).filter((path) => !ours.paths.some((own) => meansPath(own, path)));
    expect(missed).toEqual([]);
  });
});
