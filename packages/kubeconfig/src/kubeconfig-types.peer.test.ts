import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { impossibleKubeconfigs, kubeconfigDocument, possibleKubeconfigs } from '../test/impossible-kubeconfigs.ts';

/** What is refused of a kubeconfig's fields, held against the real kubectl. */

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function kubectl(change: (document: ReturnType<typeof kubeconfigDocument>) => void): number | null {
  const document = kubeconfigDocument();
  change(document);
  const path = join(folder, 'admin.conf');
  writeFileSync(path, JSON.stringify(document));
  const program = join(process.env.GROUNDPLANE_COMPONENTS ?? '', 'kubectl');
  const { status, error } = spawnSync(program, ['config', 'view', '--kubeconfig', path], { stdio: 'pipe' });
  if (error !== undefined) throw error;
  return status;
}

describe('kubectl', () => {
  it.each(impossibleKubeconfigs)('refuses %s', (_, _path, change) => {
    expect(kubectl(change)).not.toBe(0);
  });
  it.each(possibleKubeconfigs)('takes %s', (_, change) => {
    expect(kubectl(change)).toBe(0);
  });
});
