import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mayPass, nextLeaveStep, refusalOf } from './index.ts';

test('the README says what its example prints', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const refusal = refusalOf('etcdserver: too many learner members in cluster');
  expect(readme).toContain(
    `console.log(nextLeaveStep([], 'https://192.0.2.11:2380').step); // ${nextLeaveStep([], '').step}`,
  );
  expect(readme).toContain(`console.log(refusal, mayPass(refusal)); // ${refusal} ${mayPass(refusal)}`);
});
