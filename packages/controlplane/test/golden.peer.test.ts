import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringifyYaml } from '@groundplane/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { optionalCADirectories } from '../src/host-path-volumes.ts';
import { renderStaticPod } from '../src/render-static-pod.ts';
import {
  componentsOf,
  configurationOf,
  factsOf,
  type GoldenConfiguration,
  goldenCADirectories,
  goldenConfigurations,
} from './golden-configurations.ts';

const kubeadm = process.env.GROUNDPLANE_KUBEADM ?? '';
const goldens = new URL('../testdata/1.37/', import.meta.url);
const present = optionalCADirectories.filter((directory) => existsSync(directory));
/** The golden files hold for hosts with the same CA folders; elsewhere only our output is compared with kubeadm's. */
const sameHost = present.join() === goldenCADirectories.join();

/** Has kubeadm write the manifests of a configuration into a folder of its own; nothing else is written. */
function kubeadmManifests(row: GoldenConfiguration, folder: string): (component: string) => string {
  const configuration = join(folder, 'configuration.yaml');
  writeFileSync(configuration, configurationOf(row));
  const manifests = join(folder, 'manifests');
  mkdirSync(manifests);
  const env = { PATH: process.env.PATH ?? '', KUBEADM_INIT_DRYRUN_DIR: manifests, ...row.environment };
  const phases = [['control-plane', 'all'], ...(componentsOf(row).includes('etcd') ? [['etcd', 'local']] : [])];
  for (const phase of phases) {
    execFileSync(kubeadm, ['init', 'phase', ...phase, '--dry-run', '--config', configuration], { env, stdio: 'pipe' });
  }
  return (component) => readFileSync(join(manifests, `${component}.yaml`), 'utf8');
}

describe.each(goldenConfigurations.map((row) => [row.name, row] as const))('manifests of %s', (name, row) => {
  let folder: string;
  let real: (component: string) => string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'groundplane-golden-'));
    real = kubeadmManifests(row, folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(componentsOf(row))('equal those of kubeadm: %s', (component) => {
    expect(stringifyYaml(renderStaticPod(component, factsOf(row, [...present])))).toBe(real(component));
  });

  it.runIf(sameHost).each(componentsOf(row))('are what the golden file holds: %s', (component) => {
    const golden = new URL(`${name}/${component}.yaml`, goldens);
    if (process.env.GROUNDPLANE_UPDATE_GOLDENS === '1') {
      mkdirSync(new URL('.', golden), { recursive: true });
      writeFileSync(golden, real(component));
    }
    expect(readFileSync(golden, 'utf8')).toBe(real(component));
  });
});
