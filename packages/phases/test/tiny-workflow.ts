import type { Event } from '../src/events.ts';
import {
  type AnyPhase,
  type Artifact,
  artifactOf,
  contract,
  defineWorkflow,
  type Format,
  type JournalUser,
  type Location,
  type Outputs,
  type Plan,
  type Policy,
  planWorkflow,
  type Read,
  type Reads,
  type RunResult,
  runWorkflow,
  type Selection,
  type Workflow,
} from '../src/index.ts';
import type { MemoryPorts } from '../src/testing/index.ts';

/** Workflows of phases that turn text into text, for tests of the engine. */

export interface TinyConfig {
  /** What converging phases write. */
  readonly text: string;
}

export const tiny = contract<TinyConfig>();

/** Text of one line; empty text and text that says `broken` do not parse. */
export const line: Format<string> = {
  name: 'line',
  parse(bytes) {
    const text = new TextDecoder().decode(bytes);
    if (text === '' || text.includes('broken')) throw new Error(`it says ${text}`);
    return text;
  },
  serialize: (value) => new TextEncoder().encode(value),
};

type ArtifactOptions = Partial<Omit<Artifact<string>, 'id' | 'where' | 'format'>> & { readonly policy?: Policy };

export function textFile(id: string, options: ArtifactOptions = {}): Artifact<string> {
  return at(id, { kind: 'file', path: `/etc/tiny/${id}` }, options);
}

export function textObject(id: string, options: ArtifactOptions = {}): Artifact<{ readonly text?: string }> {
  const format: Format<{ readonly text?: string }> = {
    name: 'Text object',
    parse: (bytes) => JSON.parse(new TextDecoder().decode(bytes)),
    serialize: (value) =>
      new TextEncoder().encode(JSON.stringify({ apiVersion: 'v1', kind: 'Text', metadata: { name: id }, ...value })),
    satisfied: (desired, existing) => desired.text === existing.text,
  };
  return { ...at(id, { kind: 'object', reference: { apiVersion: 'v1', kind: 'Text', name: id } }, options), format };
}

export function textState(id: string): Artifact<unknown> {
  return at(id, { kind: 'state', name: id }, { policy: 'observe' });
}

export function at(id: string, location: Location, options: ArtifactOptions = {}): Artifact<string> {
  return { id, description: `the text ${id}`, where: () => location, format: line, policy: 'preserve', ...options };
}

/** A pure phase whose outputs say which inputs they were made from, and whose verify holds them to it. */
export function derive(
  name: string,
  {
    reads = {},
    writes = {},
    ...rest
  }: { readonly reads?: Reads; readonly writes?: Outputs; readonly hidden?: true } & Partial<AnyPhase<TinyConfig>>,
): AnyPhase<TinyConfig> {
  const wanted = (inputs: Readonly<Record<string, unknown>>, config: TinyConfig, entry: Read) => {
    const from = Object.values(inputs).map((input) => (typeof input === 'string' ? input : 'nothing'));
    return artifactOf(entry).policy === 'converge' ? config.text : `made from ${from.join(' and ') || 'nothing'}`;
  };
  const phase = tiny.definePhase({
    name,
    summary: `Do ${name}`,
    reads,
    writes,
    render: ({ config, inputs, outputs }) =>
      outputs(Object.fromEntries(Object.entries(writes).map(([key, entry]) => [key, wanted(inputs, config, entry)]))),
    verify: ({ config, inputs, outputs }) =>
      Object.entries(writes)
        .filter(([key, entry]) => outputs[key] !== wanted(inputs, config, entry))
        .map(([key]) => ({ code: 'TINY_WRONG', severity: 'error', artifact: key, message: `${key} is wrong` })),
  });
  return { ...phase, ...rest };
}

export const tinyConfig: TinyConfig = { text: 'wanted' };

export function workflowOf(...phases: readonly AnyPhase<TinyConfig>[]): Workflow<TinyConfig> {
  const directory = '/etc/tiny';
  return defineWorkflow<TinyConfig>({
    name: 'tiny',
    summary: 'Do something tiny',
    layout: () => ({
      kubernetes: directory,
      pki: directory,
      kubelet: directory,
      etcdData: directory,
      nodeName: 'node',
    }),
    phases,
  });
}

export function plan(workflow: Workflow<TinyConfig>, ports: MemoryPorts, selection: Selection = {}): Promise<Plan> {
  return planWorkflow({ workflow, config: tinyConfig, ports, selection });
}

/** Phase → decision. */
export async function decisions(
  workflow: Workflow<TinyConfig>,
  ports: MemoryPorts,
  selection: Selection = {},
): Promise<Readonly<Record<string, string>>> {
  const { phases } = await plan(workflow, ports, selection);
  return Object.fromEntries(phases.map(({ phase, decision }) => [phase, decision]));
}

export interface Ran {
  readonly result?: RunResult;
  readonly error?: unknown;
  readonly events: readonly Event[];
}

/** Runs and gives back what it reported, whether it failed or not. */
export async function run(
  workflow: Workflow<TinyConfig>,
  ports: MemoryPorts,
  options: {
    readonly selection?: Selection;
    readonly signal?: AbortSignal;
    readonly journal?: string;
    readonly user?: JournalUser;
    readonly onEvent?: (event: Event) => void;
  } = {},
): Promise<Ran> {
  const { onEvent, ...rest } = options;
  const events: Event[] = [];
  const report = (event: Event) => {
    events.push(event);
    onEvent?.(event);
  };
  try {
    const result = await runWorkflow({ workflow, config: tinyConfig, ports, report, actor: 'test', ...rest });
    return { result, events };
  } catch (error) {
    return { error, events };
  }
}
