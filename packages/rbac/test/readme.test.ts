import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { explain, explainAccess } from '../src/explain.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

it('the README shows what its example prints', () => {
  const first = explain('token').grants[0];
  expect(readme).toContain(`// ${first?.binding.name} [ { step: '${first?.neededBy[0]?.step.slice(0, 20)}`);
  const question = { verb: 'get', resource: 'configmaps/cluster-info', namespace: 'kube-public' };
  expect(readme).toContain(
    `explainAccess('anonymous', question).answer); // ${explainAccess('anonymous', question).answer}`,
  );
  const { reason } = explainAccess('node:node-a', { verb: 'get', resource: 'secrets/web' });
  expect(readme).toContain(`\n// ${reason}\n`);
});
