import { readFileSync } from 'node:fs';
import { parseYaml } from '@groundplane/manifest';
import { expect, it } from 'vitest';
import { kubeadmFlagsEnv, kubeletFlags, type RegistrationFacts } from '../src/kubelet-flags.ts';

const folder = new URL('../../../test/cases/kubelet-flags-env-line/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');

it('the line of kubeadm-flags.env is that of the case kubelet-flags-env-line', () => {
  const { nodeRegistration } = parseYaml(read('join.yaml')) as {
    readonly nodeRegistration: {
      readonly name: string;
      readonly taints: NonNullable<RegistrationFacts['taints']>;
      readonly kubeletExtraArgs: NonNullable<RegistrationFacts['extraArgs']>;
    };
  };
  const { steps } = JSON.parse(read('expected.json')) as {
    readonly steps: readonly { readonly facts: Readonly<Record<string, string>> }[];
  };
  const { name, taints, kubeletExtraArgs } = nodeRegistration;
  const flags = kubeletFlags({ nodeName: name, hostName: 'node-a', taints, extraArgs: kubeletExtraArgs });
  expect(kubeadmFlagsEnv(flags)).toBe(steps[0]?.facts['/var/lib/kubelet/kubeadm-flags.env']);
});
