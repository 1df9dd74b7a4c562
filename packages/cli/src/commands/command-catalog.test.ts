import { readFileSync } from 'node:fs';
import { initWorkflow } from '@groundplane/bootstrap';
import { initCommands, initFlags } from '@groundplane/config';
import { describe, expect, it } from 'vitest';
import { commandCatalog } from './command-catalog.ts';
import { argumentTable, commandId } from './command-row.ts';
import { handlerOf } from './handlers.ts';

const catalogOf = (...more: readonly string[]) =>
  commandCatalog({
    workflow: {
      name: initWorkflow.name,
      summary: initWorkflow.summary,
      phases: [...initWorkflow.phases, ...more.map((name) => ({ name, summary: `About ${name}`, hidden: false }))],
    },
    commands: initCommands,
    flags: initFlags,
  });

const idsOf = (rows: ReturnType<typeof catalogOf>) =>
  rows.filter((row) => row.path.length > 0).map((row) => commandId(row.path));

describe('commandCatalog', () => {
  it('has one command for each visible phase, and one for each parent', () => {
    const ids = idsOf(catalogOf());
    for (const { name, hidden } of initWorkflow.phases) {
      expect(ids.includes(`init:phase:${name.replaceAll('/', ':')}`), name).toBe(!hidden);
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(
      expect.arrayContaining(['init', 'init:phase', 'init:phase:certs', 'init:phase:certs:all', 'version']),
    );
    expect(ids).not.toContain('init:phase:etcd:all');
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

  it('gives every command the flags that the flag table lists, --output, and static pods --print-manifest', () => {
    const rows = catalogOf();
    for (const { command, flags, group } of initCommands) {
      const row = rows.find(({ path }) => path.join(' ') === command);
      if (row === undefined || group) continue;
      const own = /^init phase (control-plane|etcd) /.test(command) ? ['output', 'print-manifest'] : ['output'];
      expect(row.flags.map(({ name }) => name).toSorted(), command).toEqual([...flags, ...own].toSorted());
    }
  });

  it('finds something to run for every command', async () => {
    for (const row of catalogOf()) {
      if (row.path.length > 0) expect(typeof (await handlerOf(row))).toBe('function');
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
