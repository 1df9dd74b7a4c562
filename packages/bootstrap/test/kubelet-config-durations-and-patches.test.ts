import { readFileSync } from 'node:fs';
import { parseYaml } from '@groundplane/manifest';
import { expect, it } from 'vitest';
import { resolveInit } from '../src/index.ts';
import { run } from './init-run.ts';
import { initWorld } from './init-world.ts';

const folder = new URL('../../../test/cases/kubelet-config-durations-and-patches/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const { steps } = JSON.parse(read('expected.json')) as {
  readonly steps: readonly { readonly facts: Readonly<Record<string, object>> }[];
};
/** The folder of patches belongs into the file where there is one. */
const patchesDocument = `---
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
patches: {directory: /srv/patches}
`;
const facts = steps[0]?.facts ?? {};

it('the kubelet gets durations as text and the patches of its node, in the case kubelet-config-durations-and-patches', async () => {
  const name = 'kubeletconfiguration+merge.yaml';
  const ports = initWorld({ files: { [`/srv/patches/${name}`]: read(`patches/${name}`) } });
  const { context } = await resolveInit({ configText: `${read('kubelet.yaml')}${patchesDocument}`, ports });
  const { error } = await run(ports, context, { only: ['kubelet-start'] });
  expect(error).toBeUndefined();
  const written = parseYaml(ports.memory.text('/var/lib/kubelet/config.yaml') ?? '');
  expect(written).toMatchObject(facts['/var/lib/kubelet/config.yaml'] ?? {});
  // What all nodes share has no patches; the phase upload-config/kubelet writes just this.
  expect(context.kubelet).toMatchObject(facts['ConfigMap kubelet-config'] ?? {});
});
