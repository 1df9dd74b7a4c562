import { expect, test } from 'vitest';
import { derive, run, textFile, tinyConfig, workflowOf } from '../test/tiny-workflow.ts';
import { planWorkflow, type SuppliedPorts, verifyWorkflow } from './index.ts';
import { memoryPorts } from './testing/index.ts';

const a = textFile('a');
const b = textFile('b');
const workflow = workflowOf(derive('first', { writes: { a } }), derive('second', { reads: { a }, writes: { b } }));
const reason = 'Cannot look at /etc/tiny/a as /etc/tiny is not a directory (ENOTDIR)';

/** Ports on which one call says no about files of the phases. */
function barredPorts(code: string): SuppliedPorts {
  const { host, ...ports } = memoryPorts();
  const read = async (path: string): Promise<never> => {
    throw new Error(`Cannot read ${path}`, { cause: Object.assign(new Error(code), { code }) });
  };
  return { ...ports, host: { ...host, files: { ...host.files, read } } };
}

test('a file in place of a folder: what is below it is unknown to those who look', async () => {
  const ports = memoryPorts({ files: { '/etc/tiny': 'no folder' } });
  const { phases } = await planWorkflow({ workflow, config: tinyConfig, ports });
  expect(phases.map(({ decision }) => decision)).toEqual(['unknown', 'unknown']);
  expect(phases[0]).toMatchObject({ reason, findings: [], outputs: [{ action: 'unknown', reason }] });
  const [verdict] = await verifyWorkflow({ workflow, config: tinyConfig, ports });
  expect(verdict).toMatchObject({ findings: [], unseen: [{ location: '/etc/tiny/a', reason }] });
});

test('a file in place of a folder: a run stops before its first write', async () => {
  const ports = memoryPorts({ files: { '/etc/tiny': 'no folder' } });
  const { error } = await run(workflow, ports);
  expect(error).toMatchObject({ code: 'PHASES_CONFLICT', message: expect.stringContaining(reason) });
  expect(ports.memory.writes).toEqual([]);
});

test('a link that leads to itself stands in the way, whoever looks', async () => {
  const ports = memoryPorts();
  const read: typeof ports.host.files.read = async (path) => {
    throw Object.assign(new Error(`Cannot read ${path} as it goes through too many symbolic links`), { code: 'ELOOP' });
  };
  const files = { ...ports.host.files, read };
  const workflow = workflowOf(derive('first', { writes: { a: textFile('a') } }));
  const plan = await planWorkflow({
    workflow,
    config: tinyConfig,
    ports: { ...ports, host: { ...ports.host, files } },
  });
  expect(plan.phases[0]).toMatchObject({ decision: 'conflict', findings: [{ code: 'PHASES_ARTIFACT_UNREADABLE' }] });
});

test.each(['EACCES', 'EPERM', 'ENOTDIR', 'EIO', 'ESTALE'])('%s is unknown to those who look', async (code) => {
  const { phases } = await planWorkflow({ workflow, config: tinyConfig, ports: barredPorts(code) });
  expect(phases[0]).toMatchObject({ decision: 'unknown', findings: [], outputs: [{ action: 'unknown' }] });
});

test('what is there and in the way stands in the way of those who look, too', async () => {
  const { phases } = await planWorkflow({ workflow, config: tinyConfig, ports: barredPorts('EISDIR') });
  expect(phases[0]).toMatchObject({ decision: 'conflict' });
});
