import { describe, expect, test } from 'vitest';
import { at, decisions, plan, run, type TinyConfig, textFile, tiny, workflowOf } from '../test/tiny-workflow.ts';
import type { AnyPhase, Artifact, Files } from './index.ts';
import { type MemoryPorts, memoryPorts } from './testing/index.ts';

const file = textFile('folder/file');
const folder = at('folder', { kind: 'directory', path: '/etc/tiny/folder' });
const emptied: Artifact<string> = { ...folder, emptied: true };
const failing = [{ code: 'TINY_LEFT', severity: 'error', artifact: 'x', message: 'something is left' }] as const;

function remover(
  removes: readonly Artifact<unknown>[],
  options: { readonly bestEffort?: true } = {},
): AnyPhase<TinyConfig> {
  return tiny.defineEffect({
    name: 'remover',
    summary: 'Remove it',
    removes,
    uses: [],
    run: async () => {},
    verify: () => [],
    ...options,
  });
}

function files(...paths: readonly string[]): MemoryPorts {
  return memoryPorts({ files: Object.fromEntries(paths.map((path) => [`/etc/tiny/${path}`, 'text'])) });
}

/** The same world, in which some file operations are others. */
function changed(ports: MemoryPorts, operations: Partial<Files>): MemoryPorts {
  return { ...ports, host: { ...ports.host, files: { ...ports.host.files, ...operations } } };
}

describe('a directory that is emptied', () => {
  test('stays, without what is in it', async () => {
    const ports = files('folder/a', 'folder/b/c', 'folders');
    const workflow = workflowOf(remover([emptied]));
    expect(await decisions(workflow, ports)).toEqual({ remover: 'act' });
    const { result } = await run(workflow, ports);
    expect(ports.memory.paths()).toEqual(['/etc/tiny/folders']);
    expect(ports.memory.mode('/etc/tiny/folder')).toBe(0o755);
    expect(result?.phases[0]?.artifacts).toEqual([
      { artifact: 'folder', location: '/etc/tiny/folder', action: 'removed' },
    ]);
    expect(await decisions(workflow, ports)).toEqual({ remover: 'keep' });
  });

  test('may be missing', async () => {
    expect(await decisions(workflowOf(remover([emptied])), files())).toEqual({ remover: 'keep' });
  });
});

describe('a directory that goes itself', () => {
  test('goes after what is in it', async () => {
    const ports = files('folder/file');
    const workflow = workflowOf(remover([file, folder]));
    const planned = await plan(workflow, ports);
    expect(planned.phases[0]?.outputs.map(({ location }) => location)).toEqual([
      '/etc/tiny/folder/file',
      '/etc/tiny/folder',
    ]);
    await run(workflow, ports);
    expect(ports.memory.mode('/etc/tiny/folder')).toBeUndefined();
  });

  test('stays if something else is in it, and asks for nothing then', async () => {
    const ports = files('folder/file', 'folder/other');
    const workflow = workflowOf(remover([file, folder]));
    await run(workflow, ports);
    expect(ports.memory.paths()).toEqual(['/etc/tiny/folder/other']);
    expect(await decisions(workflow, ports)).toEqual({ remover: 'keep' });
  });
});

describe('what cannot be removed', () => {
  const left = async () => [{ path: '/etc/tiny/folder/a', reason: 'it is mounted' }];
  const message = 'Cannot remove /etc/tiny/folder/a as it is mounted';

  test('stops a run', async () => {
    const ports = changed(files('folder/a'), { empty: left });
    const { error } = await run(workflowOf(remover([emptied])), ports);
    expect(error).toMatchObject({ code: 'PHASES_REMOVAL_INCOMPLETE', message });
  });

  test('is remarked on by a phase that does what it can, which goes on with the rest', async () => {
    const ports = files('folder/a', 'folder/file', 'last');
    const refuse = async (path: string) => {
      if (path.endsWith('file')) throw new Error('EPERM');
      return ports.host.files.remove(path);
    };
    const workflow = workflowOf(remover([emptied, file, textFile('last')], { bestEffort: true }));
    const { result, error, events } = await run(workflow, changed(ports, { empty: left, remove: refuse }));
    expect(error).toBeUndefined();
    expect(result?.phases[0]?.artifacts.map(({ artifact }) => artifact)).toEqual(['last']);
    expect(events.flatMap((event) => (event.type === 'finding' ? [event.finding] : []))).toMatchObject([
      { severity: 'warning', message },
      { severity: 'warning', message: 'Cannot remove /etc/tiny/folder/file as EPERM' },
    ]);
  });

  test('is told in one line, however much it is', async () => {
    const many = Array.from({ length: 9 }, (_, index) => ({ path: `/p${index}`, reason: 'it is busy' }));
    const { error } = await run(
      workflowOf(remover([emptied])),
      changed(files('folder/a'), { empty: async () => many }),
    );
    expect(error).toMatchObject({
      message: `${[0, 1, 2, 3, 4].map((index) => `Cannot remove /p${index} as it is busy`).join('; ')}; and 4 more in /etc/tiny/folder`,
    });
  });
});

describe('a phase that does what it can', () => {
  const phase = (bestEffort: boolean) =>
    tiny.defineEffect({
      name: 'tries',
      summary: 'Try',
      uses: [],
      run: async () => {},
      verify: () => failing,
      ...(bestEffort ? { bestEffort } : {}),
    });

  test('acts as long as its verify is not content, and says what is left', async () => {
    const ports = memoryPorts();
    const planned = await plan(workflowOf(phase(true)), ports);
    expect(planned.phases[0]).toMatchObject({ decision: 'act', reason: 'something is left' });
    const { error, events } = await run(workflowOf(phase(true)), ports);
    expect(error).toBeUndefined();
    expect(events).toContainEqual({ type: 'finding', phase: 'tries', finding: { ...failing[0], severity: 'warning' } });
  });

  test('differs from one that must', async () => {
    const { error } = await run(workflowOf(phase(false)), memoryPorts());
    expect(error).toMatchObject({ code: 'PHASES_VERIFY_FAILED' });
  });
});

test('a file that cannot be looked at is removed all the same, so that its removal says why', async () => {
  const ports = changed(files(), { status: () => Promise.reject(new Error('EACCES')) });
  expect(await decisions(workflowOf(remover([textFile('gone')])), ports)).toEqual({ remover: 'act' });
});
