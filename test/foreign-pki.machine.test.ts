import {
  componentPath,
  createMachine,
  initConfigPath,
  installGroundplane,
  kubectlOutput,
  type Machine,
  prepareInit,
  succeeding,
  waitUntilReady,
} from '@groundplane/testbed';
import { afterEach, describe, expect, it } from 'vitest';
import { shellInstaller } from './foreign-pki.ts';
import { credentials, lasting } from './node-snapshot.ts';

interface Maker {
  readonly name: string;
  /** A program that a machine does not have of itself. */
  readonly component?: string;
  /** Makes the files, as a shell command; `$config` is the configuration, `$description` what is described with it. */
  readonly make: string;
  /** Then init goes on. */
  readonly init: readonly string[];
  /** How many keys, certificates and kubeconfigs are made. */
  readonly files: number;
}

const folder = '/root/shell-installer';
const installer = (...flags: readonly string[]) => [`${folder}/install.sh`, ...flags];

const makers: readonly Maker[] = [
  {
    name: 'openssl, with kubeconfigs',
    make: `${folder}/with-openssl.sh --kubeconfigs "$description"`,
    init: installer('--kubeconfigs'),
    files: 27,
  },
  { name: 'openssl', make: `${folder}/with-openssl.sh "$description"`, init: installer(), files: 22 },
  {
    name: 'cfssl',
    component: 'cfssl',
    make: `${folder}/with-cfssl.sh "$description"`,
    init: installer('--tool', 'cfssl'),
    files: 22,
  },
  {
    name: 'the real kubeadm',
    make: 'kubeadm init phase certs all --config "$config"',
    init: ['groundplane', 'init', '--skip-phases', 'certs'],
    files: 22,
  },
];
const sample = process.env.GROUNDPLANE_TEST_FULL === '1' ? makers : makers.slice(0, 1);

describe('keys and certificates that somebody else makes from the description alone', () => {
  let machine: Machine | undefined;
  afterEach(() => machine?.delete());

  it.each(sample.map((maker) => [maker.name, maker] as const))(
    '%s: a Ready node, and none of them changes',
    async (_, maker) => {
      machine = await createMachine({ name: 'foreign-pki' });
      await installGroundplane(machine);
      const [, config = initConfigPath, ...flags] = await prepareInit(machine);
      await machine.copyIn(shellInstaller, folder);
      if (maker.component !== undefined)
        await machine.copyIn(componentPath(maker.component), `/usr/local/bin/${maker.component}`);

      const described = 'groundplane phases describe --workflow init --config "$config" -o json >"$description"';
      const env = { config, description: '/root/description.json' };
      const made = await machine.exec(['sh', '-ec', `${described}; ${maker.make}`], { env });
      expect(made.code, made.stderr).toBe(0);
      const before = await credentials(machine);
      expect(before.size).toBe(maker.files);
      const verified = await succeeding(machine, ['groundplane', 'verify', 'certs', '--config', config, '-o', 'json']);
      const { phases } = JSON.parse(verified.stdout) as { phases: { verdict: string; findings: readonly unknown[] }[] };
      expect(phases.map(({ verdict, findings }) => [verdict, findings])).toEqual(Array(11).fill(['valid', []]));

      const [program = '', ...own] = maker.init;
      const { stdout } = await succeeding(machine, [program, ...own, '--config', config, ...flags], {
        timeoutMs: 300_000,
      });
      expect(stdout).toMatch(/join \S+:6443 --token \S+/);
      await waitUntilReady(machine);
      expect(await kubectlOutput(machine, ['get', 'nodes', '-o', 'jsonpath={.items[*].metadata.name}'])).toBe(
        machine.name,
      );
      // More may be there.
      const after = lasting(await credentials(machine));
      expect(Object.fromEntries(after)).toMatchObject(Object.fromEntries(lasting(before)));
    },
  );
});
