import { readFileSync } from 'node:fs';
import { type NamedObject, parseYaml, stringifyYaml } from '@groundplane/manifest';
import { expect, test } from 'vitest';
import { coreDns, coreDnsConflicts, decideCorefile } from './index.ts';

test('the example of the README prints what it says', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const code = example.replaceAll(/^import .*$/gm, '');
  const printed: unknown[] = [];
  const console = { log: (value: unknown) => printed.push(value) };
  const known = { coreDns, coreDnsConflicts, decideCorefile, stringifyYaml, console };
  new Function(...Object.keys(known), code)(...Object.values(known));
  const [findings, ...documents] = printed;
  expect(findings).toEqual([]);
  const objects = documents.map((text) => parseYaml(text as string) as NamedObject);
  expect(objects.map(({ kind }) => kind)).toEqual([
    'ServiceAccount',
    'ClusterRole',
    'ClusterRoleBinding',
    'ConfigMap',
    'Service',
    'Deployment',
  ]);
});
