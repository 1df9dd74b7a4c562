import { describe, expect, test } from 'vitest';
import { at, decisions, derive, run, textFile, textState, tiny, workflowOf } from '../test/tiny-workflow.ts';
import { type Artifact, type ClusterObject, formatLocation } from './index.ts';
import { memoryPorts } from './testing/index.ts';

const admin = textFile('admin.conf', { external: true });
const connect = { kubeconfig: admin, endpoint: 'as-written' } as const;
const query = { apiVersion: 'v1', kind: 'Ticket', namespace: 'n', labelSelector: 'for=us' };
const tickets: Artifact<readonly ClusterObject[]> = {
  ...at('tickets', { kind: 'list', query }, { external: true, policy: 'observe' }),
  format: {
    name: 'tickets',
    parse: (bytes) => JSON.parse(new TextDecoder().decode(bytes)),
    serialize: (value) => new TextEncoder().encode(JSON.stringify(value)),
  },
};
const copy = textFile('copy');

/** Writes down the names of the tickets. */
const phase = tiny.definePhase({
  name: 'note',
  summary: 'Note the tickets',
  reads: { tickets },
  writes: { copy },
  connect,
  render: ({ inputs, outputs }) => outputs({ copy: namesOf(inputs.tickets) }),
  verify: ({ inputs, outputs }) =>
    namesOf(inputs.tickets) === outputs.copy
      ? []
      : [{ code: 'TINY_WRONG', severity: 'error', artifact: 'copy', message: 'it notes other tickets' }],
});

function namesOf(objects: readonly ClusterObject[]): string {
  return `names: ${objects.map(({ metadata }) => metadata.name).join()}`;
}

function ticket(name: string, namespace: string, labels = {}): ClusterObject {
  return { apiVersion: 'v1', kind: 'Ticket', metadata: { name, namespace, labels } };
}

describe('a list of API objects', () => {
  const world = (refusal?: string) => {
    const ports = memoryPorts({ files: { '/etc/tiny/admin.conf': 'kubeconfig' }, apiRefusal: () => refusal });
    ports.memory.putObject(ticket('mine', 'n', { for: 'us' }));
    ports.memory.putObject(ticket('elsewhere', 'm', { for: 'us' }));
    ports.memory.putObject(ticket('theirs', 'n'));
    return ports;
  };

  test('is read with its selectors, when the phase is planned and when it runs', async () => {
    const ports = world();
    expect(await decisions(workflowOf(phase), ports)).toEqual({ note: 'create' });
    expect((await run(workflowOf(phase), ports)).error).toBeUndefined();
    expect(ports.memory.text('/etc/tiny/copy')).toBe('names: mine');
    ports.memory.putObject(ticket('more', 'n', { for: 'us' }));
    expect(await decisions(workflowOf(phase), ports)).toEqual({ note: 'conflict' });
  });

  test('is there although it is empty', async () => {
    const ports = memoryPorts({ files: { '/etc/tiny/admin.conf': 'kubeconfig' } });
    expect((await run(workflowOf(phase), ports)).error).toBeUndefined();
    expect(ports.memory.text('/etc/tiny/copy')).toBe('names: ');
  });

  test('is unknown while the API server does not answer', async () => {
    expect(await decisions(workflowOf(phase), world('connect ECONNREFUSED'))).toEqual({ note: 'unknown' });
  });

  test('has a name that tells what it selects', () => {
    expect(formatLocation({ kind: 'list', query })).toBe('all Tickets in n for=us');
    expect(formatLocation({ kind: 'list', query: { apiVersion: 'v1', kind: 'Service' } })).toBe('all Services');
  });

  test.each([
    ['without a connection', derive('one', { reads: { tickets } }), /reads the object 'tickets' without a connection/],
    [
      'to write to',
      derive('one', {
        reads: { state: textState('s') },
        writes: { tickets: at('list', { kind: 'list', query }) },
        connect,
      }),
      /'one' is pure, and 'list' cannot be written by the engine/,
    ],
  ])('is refused %s', (_, wrong, message) => {
    expect(() => workflowOf(wrong)).toThrow(message);
  });
});
