import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kubeletFlagNames } from './kubelet-flag-names.ts';

test('the flags are those of the real kubelet', () => {
  const kubelet = join(process.env.GROUNDPLANE_COMPONENTS ?? '', 'kubelet');
  const help = execFileSync(kubelet, ['--help'], { encoding: 'utf8', stdio: 'pipe' });
  const told = [...help.matchAll(/^ +(?:-[a-zA-Z], )?--([a-z0-9-]+)/gm)].map(([, name]) => name);
  expect(told.length).toBeGreaterThan(100);
  expect([...kubeletFlagNames].toSorted()).toEqual(told.toSorted());
});
