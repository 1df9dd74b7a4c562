import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { componentPath, type Machine, succeeding } from '@groundplane/testbed';
import { makeStepAuthority, type StepAuthorityFiles } from './step-authority.ts';

/** One request, as step-ca logs it. */
export interface StepLogLine {
  /** Of HTTP. */
  readonly status?: number;
  /** Of the certificate that was signed, in decimal. */
  readonly serial?: string;
  /** The token that came with it. */
  readonly ott?: string;
}

/** Real step-cas on a machine of their own. */
export interface StepMachine {
  /** What was made for them, here; the paths in it are of this host. */
  readonly authorities: readonly (StepAuthorityFiles & { readonly name: string })[];
  /** Where they were made, with all of their keys. */
  readonly folder: string;
  /** The requests that they have got so far. */
  log(): Promise<readonly StepLogLine[]>;
  remove(): void;
}

const program = '/usr/local/bin/step-ca';

/** Starts one step-ca for each name, and waits until all of them answer. */
export async function startStepMachine(machine: Machine, names: readonly string[]): Promise<StepMachine> {
  const parent = mkdtempSync(join(tmpdir(), 'groundplane-step-'));
  await machine.copyIn(componentPath('step-ca'), program);
  const authorities = await Promise.all(
    names.map(async (name, index) => {
      const [folder, place] = [join(parent, name), `/srv/step/${name}`];
      const files = await makeStepAuthority({ folder, name, host: machine.name, port: 9_001 + index, place });
      await machine.copyIn(folder, place);
      const unit = [`--unit=step-${name}`, `--property=StandardOutput=append:${place}/log`];
      await succeeding(machine, ['systemd-run', '-q', ...unit, program, `${place}/ca.json`]);
      return { ...files, name };
    }),
  );
  for (const { url } of authorities) {
    const asked = ['curl', '-sSfk', '--retry', '60', '--retry-connrefused', '--retry-delay', '1', `${url}/health`];
    await succeeding(machine, asked, { timeoutMs: 60_000 });
  }
  return {
    authorities,
    folder: parent,
    async log() {
      const { stdout } = await succeeding(machine, ['sh', '-c', 'cat /srv/step/*/log']);
      const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
      return lines.map((line) => JSON.parse(line) as StepLogLine);
    },
    remove: () => rmSync(parent, { recursive: true }),
  };
}
