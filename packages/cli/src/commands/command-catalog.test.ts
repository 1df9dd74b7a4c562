import { readFileSync } from 'node:fs';
import { initWorkflow, joinWorkflow, resetWorkflow } from '@groundplane/bootstrap';
import {
  initCommands,
  initFlags,
  joinCommands,
  joinFlags,
  resetCommands,
  resetFlags,
  tokenFlags,
} from '@groundplane/config';
import { describe, expect, it } from 'vitest';
import { commandCatalog } from './command-catalog.ts';
import { argumentTable, commandId } from './command-row.ts';
import { handlerOf } from './handlers.ts';

const catalogOf = (...more: readonly string[]) =>
  commandCatalog({
    workflows: [
      {
        workflow: {
          name: initWorkflow.name,
          summary: initWorkflow.summary,
          phases: [...initWorkflow.phases, ...more.map((name) => ({ name, summary: `About ${name}`, hidden: false }))],
        },
        commands: initCommands,
        flags: initFlags,
      },
      { workflow: joinWorkflow, commands: joinCommands, flags: joinFlags },
      { workflow: resetWorkflow, commands: resetCommands, flags: resetFlags },
    ],
    token: tokenFlags,
  });

const idsOf = (rows: ReturnType<typeof catalogOf>) =>
  rows.filter((row) => row.path.length > 0).map((row) => commandId(row.path));

const tables = [...initCommands, ...joinCommands, ...resetCommands];

describe('commandCatalog', () => {
  it('has one command for each visible phase, and one for each parent', () => {
    const ids = idsOf(catalogOf());
    for (const workflow of [initWorkflow, joinWorkflow, resetWorkflow]) {
      for (const { name, hidden } of workflow.phases) {
        expect(ids.includes(`${workflow.name}:phase:${name.replaceAll('/', ':')}`), name).toBe(!hidden);
      }
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain('init:phase:etcd:all');
  });

  it('has every command of the tables, and none besides in the same families', () => {
    const ids = idsOf(catalogOf()).filter((id) => /^(init|join|reset)(:|$)/.test(id));
    expect(ids.toSorted()).toEqual(tables.map(({ command }) => commandId(command.split(' '))).toSorted());
  });

  it('has a command for a phase that is new, without a line here', () => {
    const added = catalogOf('certs/mesh', 'mesh/install');
    const before = idsOf(catalogOf());
    expect(idsOf(added).filter((id) => !before.includes(id))).toEqual([
      'init:phase:mesh',
      'init:phase:mesh:all',
      'init:phase:certs:mesh',
      'init:phase:mesh:install',
    ]);
    const row = added.find(({ path }) => path.join(' ') === 'init phase mesh install');
    expect(row).toMatchObject({ summary: 'About mesh/install', kind: 'run' });
    expect(row?.flags.map(({ name }) => name)).toContain('config');
  });

  it('gives every command what the tables list, --output, and static pods --print-manifest, what signs --signer-command', () => {
    const rows = catalogOf();
    for (const { command, flags, group, argument } of tables) {
      const row = rows.find(({ path }) => path.join(' ') === command);
      const own = [
        'output',
        ...(/^init phase (control-plane|etcd|addon) /.test(command) ? ['print-manifest'] : []),
        ...(/^init( phase (certs|kubeconfig) .*)?$/.test(command) ? ['signer-command'] : []),
      ];
      expect(row?.flags.map(({ name }) => name).toSorted(), command).toEqual(
        group ? ['output'] : [...new Set([...flags, ...own])].toSorted(),
      );
      expect(row?.argument?.usage, command).toBe(argument && `[${argument}]`);
    }
  });

  it('finds something to run for every command', async () => {
    for (const row of catalogOf()) {
      if (row.kind !== 'help') expect(typeof (await handlerOf(row))).toBe('function');
    }
  });
});

describe('oclif.manifest.json', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../oclif.manifest.json', import.meta.url), 'utf8'));

  it('lists exactly the commands of the catalogue', () => {
    expect(Object.keys(manifest.commands).toSorted()).toEqual(idsOf(catalogOf()).toSorted());
  });

  it('gives back the rows that it was made from, in their order', () => {
    const { commands } = argumentTable('groundplane', Object.values(manifest.commands));
    expect(commands).toEqual(catalogOf());
  });
});
