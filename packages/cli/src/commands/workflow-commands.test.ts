import { describe, expect, it } from 'vitest';
import { type WorkflowCommands, workflowCommands } from './workflow-commands.ts';

const phase = (name: string, hidden = false) => ({ name, summary: `About ${name}`, hidden });
const options = (...names: readonly string[]): WorkflowCommands => ({
  workflow: { name: 'join', summary: 'Join', phases: names.map((name) => phase(name)) },
  commands: [
    { command: 'join', aliases: [], flags: ['config'], argument: 'endpoint', group: false },
    { command: 'join phase', aliases: [], flags: [], group: true },
    { command: 'join phase first', aliases: [], flags: [], argument: 'endpoint', group: false },
    { command: 'join phase prepare all', aliases: [], flags: [], group: false },
    { command: 'join phase prepare certs', aliases: [], flags: [], group: false },
    { command: 'join phase second', aliases: ['2nd'], flags: ['config'], group: false },
  ],
  flags: [{ name: 'config', type: 'string', help: 'A file' }],
});
const linesOf = (given: WorkflowCommands) =>
  workflowCommands(given)
    .filter(({ kind }) => kind === 'run')
    .map(({ path }) => path.join(' '));

describe('workflowCommands', () => {
  it('gives phases that the workflow lacks their place and says so', () => {
    expect(linesOf(options('first', 'second'))).toEqual([
      'join',
      'join phase prepare all',
      'join phase first',
      'join phase prepare certs',
      'join phase second',
    ]);
    const missing = workflowCommands(options('first', 'second')).find(({ path }) => path.at(-1) === 'certs');
    expect(missing?.summary).toBe('Not in this release');
  });

  it('keeps the order of the workflow, and what the table does not know', () => {
    expect(linesOf(options('second', 'own', 'first')).filter((line) => !line.endsWith(' all'))).toEqual([
      'join',
      'join phase second',
      'join phase own',
      'join phase first',
      'join phase prepare certs',
    ]);
  });

  it('has the argument of the table, that of the whole for phases of which it does not know', () => {
    const rows = workflowCommands(options('own', 'second'));
    const argument = (word: string) => rows.find(({ path }) => path.at(-1) === word)?.argument;
    expect(argument('first')).toEqual({ usage: '[endpoint]', maximum: 1 });
    expect(argument('own')).toEqual({ usage: '[endpoint]', maximum: 1 });
    expect(argument('second')).toBeUndefined();
  });

  it('leaves hidden phases out', () => {
    const { workflow, ...rest } = options();
    const hidden = { ...rest, workflow: { ...workflow, phases: [phase('second', true)] } };
    expect(linesOf(hidden)).not.toContain('join phase second');
  });
});
