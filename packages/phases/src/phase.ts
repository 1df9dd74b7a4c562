import type { Finding } from '@groundplane/errors';
import type { Artifact, Optional, Reads, Values } from './artifact.ts';
import type { Demand } from './demand.ts';
import type { JsonValue } from './events.ts';
import type { Issued, Ports, SigningRequest } from './ports.ts';

/** Entries that a phase creates. An optional one may legitimately be absent beside the others (a CA's key). */
export type Outputs = Readonly<Record<string, Artifact<unknown> | Optional<unknown>>>;

type Findings = readonly Finding[] | Promise<readonly Finding[]>;
type Awaitable<T> = T | Promise<T>;

/** What a render ends with: finished values, or a request whose answer completes them. */
export type Draft =
  | { readonly kind: 'values'; readonly values: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'request';
      readonly request: SigningRequest;
      readonly complete: (issued: Issued) => Awaitable<Rendered<unknown>>;
    };

const draft: unique symbol = Symbol('draft');
declare const brand: unique symbol;

/** Only `outputs()` and `issue()` make one, so an undeclared output is a compile error. */
export interface Rendered<W> {
  readonly [draft]: Draft;
  readonly [brand]?: W;
}

function rendered<W>(content: Draft): Rendered<W> {
  return { [draft]: content };
}

/** The client is a function of an artifact that is made halfway through the run, so it is built when the phase's turn comes. */
export interface Connect {
  readonly kubeconfig: Artifact<string>;
  /** `local`: this node's API server; `as-written`: the server that the kubeconfig names. */
  readonly endpoint: 'local' | 'as-written';
}

interface Base<C, R, W, A> {
  /** Path in the workflow's tree, kubeadm's name: `certs/ca`. */
  readonly name: string;
  /** One imperative line for help texts. */
  readonly summary: string;
  /** Configuration fields that it depends on, as paths (`networking.serviceSubnet`); for the documentation. */
  readonly configuration?: readonly string[];
  readonly reads?: R;
  readonly writes?: W;
  /** Artifacts that another phase creates and this one changes later. */
  readonly amends?: A;
  readonly removes?: readonly Artifact<unknown>[];
  /** Says why the configuration does not ask for this phase; `undefined` when it does. */
  readonly inapplicable?: (config: C) => string | undefined;
  /**
   * Algorithm of the key that it has the signer make, for a phase that asks for one. Its request may be known only when its inputs are
   * there; this is known before, so that all keys of a run are made at the same time.
   */
  readonly keyAlgorithm?: (config: C) => string;
  /** Runs where its outputs are needed, but has no command and no row in help. */
  readonly hidden?: true;
  /**
   * Of a hidden phase whose outputs nothing reads: names of the phases for whose sake it runs. It is part of the workflow as long as
   * one of them is.
   */
  readonly serves?: readonly string[];
  readonly connect?: Connect;
  /**
   * What `verify` asks of its artifacts, by key, for those who make them with another tool; of a read what this phase needs of it.
   * That it is there, can be read and is closed to others is known from the artifact itself.
   */
  readonly demands?: (config: C) => Awaitable<Demands<keyof R | keyof W | keyof A>>;
  /** What `verify` asks of the world beside artifacts. */
  readonly conditions?: (config: C) => Awaitable<readonly Demand[]>;
}

/** By key of the declaration. */
type Demands<K extends PropertyKey> = { readonly [key in NoInfer<K>]?: readonly Demand[] };

/** The values of the declared outputs; where none is declared, no value is accepted (`{}` would take any). */
type OutputValues<W> = [keyof W] extends [never] ? Readonly<Record<string, never>> : Values<W>;

export interface RenderContext<C, R, W> {
  readonly config: C;
  readonly inputs: Values<R>;
  readonly existing: { readonly [K in keyof W]: Values<W>[K] | undefined };
  /** The one instant that the whole run shares. */
  readonly now: Date;
  outputs(values: OutputValues<W>): Rendered<W>;
  /** Has the request issued when the phase runs (never while planning) and completes the outputs with the answer. */
  issue(request: SigningRequest, complete: (issued: Issued) => Awaitable<Rendered<W>>): Rendered<W>;
}

export interface VerifyState<C, R, W> {
  readonly config: C;
  readonly inputs: Values<R>;
  readonly outputs: Values<W>;
  readonly now: Date;
}

/** Inputs → outputs, and inputs + outputs → findings. Both without side effects. */
export interface PureDefinition<C, R, W, A> extends Base<C, R, W, A> {
  /** @throws GroundplaneError of kind conflict when what exists cannot be completed */
  readonly render: (context: RenderContext<C, R, W & A>) => Awaitable<Rendered<W & A>>;
  readonly verify: (state: VerifyState<C, R, W & A>) => Findings;
}

/** One look at something that is awaited. */
export type Look = { readonly done: true } | { readonly done: false; readonly reason: string };

export interface WaitOptions {
  /** What is awaited, as a noun phrase: `kube-apiserver at https://192.0.2.1:6443/livez`. */
  readonly subject: string;
  readonly timeoutMs: number;
  /** When the time began, by the monotonic clock, in milliseconds. @default now */
  readonly begunMs?: number;
  readonly intervalMs: number;
  /** Asked once when the time is over: lines that explain why (the failing container's last lines). */
  readonly explain?: () => Promise<readonly string[]>;
}

export interface EffectContext<C, R, W, U extends keyof Ports> {
  readonly config: C;
  readonly inputs: Values<R>;
  readonly ports: Pick<Ports, U>;
  readonly now: Date;
  readonly signal: AbortSignal;
  write<K extends keyof W>(key: K, value: Values<W>[K]): Promise<void>;
  /** Tells people what is going on, in one line. */
  progress(message: string): void;
  /** Reports a verdict that does not stop the run; errors are thrown. */
  finding(finding: Finding): void;
  /** Hands back what the run was asked for, under a name: a join command. A secret one is for stdout only. */
  result(name: string, value: JsonValue, options?: { readonly secret?: true }): void;
  /**
   * Looks again and again until done, reporting the reason whenever it changes.
   * @throws GroundplaneError PHASES_WAIT_TIMEOUT with subject, last reason and explanation
   */
  wait(options: WaitOptions, look: () => Promise<Look>): Promise<void>;
}

/** What is there of a phase that is left out. */
export interface OutputsState<C, R, W> {
  readonly config: C;
  readonly inputs: { readonly [K in keyof R]: Values<R>[K] | undefined };
  readonly outputs: { readonly [K in keyof W]: Values<W>[K] | undefined };
  readonly now: Date;
}

/** A phase that must act on the world. It declares reads, writes and `verify` all the same. */
export interface EffectDefinition<C, R, W, A, U extends keyof Ports> extends Base<C, R, W, A> {
  readonly uses: readonly U[];
  /** The outputs that can be known beforehand; the engine plans and writes them, then calls `run`. */
  readonly render?: (context: RenderContext<C, R, W & A>) => Awaitable<Rendered<W & A>>;
  readonly run: (context: EffectContext<C, R, W & A, U>) => Promise<void>;
  /** Takes back what `run` did before it failed. */
  readonly undo?: (context: EffectContext<C, R, W & A, U>) => Promise<void>;
  /** Of the live world, when the phase's turn comes: no error means there is nothing left to do. */
  readonly verify: (
    context: Omit<EffectContext<C, R, W & A, U>, 'write' | 'wait' | 'progress' | 'finding' | 'result'>,
  ) => Findings;
  /** The same for those who only want to know, in place of `verify`, where the rights of the user make a difference. */
  readonly survey?: (
    context: Omit<EffectContext<C, R, W & A, U>, 'write' | 'wait' | 'progress' | 'finding' | 'result'>,
  ) => Awaitable<Survey>;
  /**
   * Of what stands in for its outputs where it is left out, as far as they tell by themselves: whether anything runs with them is not
   * asked. What is not there is `undefined`. Phases that read them stop for its errors.
   */
  readonly verifyOutputs?: (state: OutputsState<C, R, W & A>) => Findings;
  /** True if `verify` is too dear or too intrusive to be asked while planning a run. */
  readonly verifyOnlyAtTurn?: true;
  /**
   * It does what it can: what cannot be removed, and what its `verify` finds wrong afterwards, is remarked on and does not stop the run.
   * What its `run` throws does.
   */
  readonly bestEffort?: true;
  /** True if the configuration asks for it to run every time, although `verify` finds nothing to do. */
  readonly everyTime?: (config: C) => boolean;
  /**
   * What its run would find, and leave, as far as that can be told by looking; for predictions, in which it does not run. It may be that
   * neither this user nor this machine can say everything: that is a warning, and no error.
   */
  readonly foresee?: (
    context: Omit<EffectContext<C, R, W & A, U>, 'write' | 'wait' | 'progress' | 'finding' | 'result'>,
  ) => Awaitable<Foreseen<Partial<OutputValues<W & A>>>>;
}

/** What the run of an effect would come to. */
export interface Foreseen<V = Readonly<Record<string, unknown>>> {
  /** Errors would stop the run. */
  readonly findings?: readonly Finding[];
  /** What it would have to do, in words; nothing if there is nothing to do. */
  readonly reason?: string;
  /** Of the outputs that it writes by itself, those whose values are known. */
  readonly outputs?: V;
}

/** Something that could not be looked at. */
export interface Unseen {
  /** Id of an artifact, or the name of a phase whose verify has no answer. */
  readonly artifact: string;
  /** Where it is. */
  readonly location: string;
  readonly reason: string;
}

/** What somebody gets to know who only looks, and may lack the rights to see all. */
export interface Survey {
  readonly findings: readonly Finding[];
  /** What he could not look at; with it there is no verdict, unless there are errors. */
  readonly unseen: readonly Unseen[];
}

/** State that the engine hands to an erased phase; keys are those of the declaration. */
export interface ErasedState<C> {
  readonly config: C;
  readonly now: Date;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** Capabilities that the engine hands to an erased effect. */
export interface ErasedCapabilities {
  readonly ports: Partial<Ports>;
  readonly signal: AbortSignal;
  readonly write: (key: string, value: unknown) => Promise<void>;
  readonly progress: (message: string) => void;
  readonly finding: (finding: Finding) => void;
  readonly result: (name: string, value: JsonValue, options?: { readonly secret?: true }) => void;
  readonly wait: (options: WaitOptions, look: () => Promise<Look>) => Promise<void>;
}

/**
 * What lists hold. Reads, writes and ports live on in the closures only, so nothing here varies with them;
 * the configuration stays, contravariant: a phase that needs less fits where more is given.
 */
export interface AnyPhase<in C> {
  readonly name: string;
  readonly summary: string;
  readonly kind: 'pure' | 'effect';
  readonly hidden: boolean;
  readonly serves: readonly string[] | undefined;
  readonly configuration: readonly string[];
  readonly reads: Reads;
  readonly writes: Outputs;
  readonly amends: Outputs;
  readonly removes: readonly Artifact<unknown>[];
  readonly uses: readonly (keyof Ports)[];
  readonly connect: Connect | undefined;
  readonly verifyOnlyAtTurn: boolean;
  readonly bestEffort: boolean;
  readonly everyTime: (config: C) => boolean;
  readonly inapplicable: (config: C) => string | undefined;
  readonly keyAlgorithm: ((config: C) => string) | undefined;
  readonly demands: (config: C) => Promise<Readonly<Record<string, readonly Demand[] | undefined>>>;
  readonly conditions: (config: C) => Promise<readonly Demand[]>;
  readonly render: ((state: ErasedState<C>) => Promise<Draft>) | undefined;
  readonly verify: (state: ErasedState<C>, capabilities: ErasedCapabilities) => Promise<readonly Finding[]>;
  readonly survey: ((state: ErasedState<C>, capabilities: ErasedCapabilities) => Promise<Survey>) | undefined;
  readonly verifyOutputs: ((state: ErasedState<C>) => Promise<readonly Finding[]>) | undefined;
  readonly foresee: ((state: ErasedState<C>, capabilities: ErasedCapabilities) => Promise<Foreseen>) | undefined;
  readonly run: ((state: ErasedState<C>, capabilities: ErasedCapabilities) => Promise<void>) | undefined;
  readonly undo: ((state: ErasedState<C>, capabilities: ErasedCapabilities) => Promise<void>) | undefined;
}

/** A phase as its definition returns it: the maps keep their types, so that tests and other phases can name entries. */
export type Phase<C, R, W> = AnyPhase<C> & { readonly reads: R; readonly writes: W };

/** Reads the draft that a render returned. @throws TypeError naming the phase if it is none */
export function draftOf(value: Rendered<unknown>, phase: string): Draft {
  const own = (value as Rendered<unknown> | undefined)?.[draft];
  if (own !== undefined) return own;
  throw new TypeError(
    `Cannot go on with '${phase}' as what its render gives back is made neither by outputs() nor by issue()`,
  );
}

/** An omitted map means "nothing"; without a default it would be inferred as "anything". */
// biome-ignore lint/complexity/noBannedTypes: the empty type is what `keyof` and mapped types take as "no keys".
type NoEntries = {};

/**
 * The makers of phases for one configuration type. Curried: the configuration is given, the rest is inferred.
 *
 * @example const init = contract<InitConfiguration>(); const ca = init.definePhase({ name: 'certs/ca', … });
 */
export function contract<C>() {
  return {
    definePhase<
      const R extends Reads = NoEntries,
      const W extends Outputs = NoEntries,
      const A extends Outputs = NoEntries,
    >(definition: PureDefinition<C, R, W, A>): Phase<C, R, W> {
      return {
        ...erasedBase<C, R, W, A>(definition),
        kind: 'pure',
        uses: [],
        verifyOnlyAtTurn: false,
        bestEffort: false,
        everyTime: () => false,
        render: erasedRender(definition.render, definition.name),
        verify: async (state) =>
          definition.verify({
            config: state.config,
            inputs: state.inputs as Values<R>,
            outputs: state.outputs as Values<W & A>,
            now: state.now,
          }),
        survey: undefined,
        verifyOutputs: undefined,
        foresee: undefined,
        run: undefined,
        undo: undefined,
      };
    },
    defineEffect<
      const R extends Reads = NoEntries,
      const W extends Outputs = NoEntries,
      const A extends Outputs = NoEntries,
      const U extends keyof Ports = never,
    >(definition: EffectDefinition<C, R, W, A, U>): Phase<C, R, W> {
      // The one cast of the contract: the engine fills maps by the declaration's own keys.
      const context = (state: ErasedState<C>, capabilities: ErasedCapabilities) =>
        ({ ...capabilities, config: state.config, inputs: state.inputs, now: state.now }) as unknown as EffectContext<
          C,
          R,
          W & A,
          U
        >;
      const { undo, render, foresee, survey, verifyOutputs } = definition;
      return {
        ...erasedBase<C, R, W, A>(definition),
        kind: 'effect',
        uses: definition.uses,
        verifyOnlyAtTurn: definition.verifyOnlyAtTurn ?? false,
        bestEffort: definition.bestEffort ?? false,
        everyTime: definition.everyTime ?? (() => false),
        render: render && erasedRender(render, definition.name),
        verify: async (state, capabilities) => definition.verify(context(state, capabilities)),
        survey: survey && (async (state, capabilities) => survey(context(state, capabilities))),
        verifyOutputs: verifyOutputs && (async (state) => verifyOutputs(state as unknown as OutputsState<C, R, W & A>)),
        foresee: foresee && (async (state, capabilities) => foresee(context(state, capabilities))),
        run: (state, capabilities) => definition.run(context(state, capabilities)),
        undo: undo && ((state, capabilities) => undo(context(state, capabilities))),
      };
    },
  };
}

function erasedBase<C, R extends Reads, W extends Outputs, A extends Outputs>(definition: Base<C, R, W, A>) {
  return {
    name: definition.name,
    summary: definition.summary,
    hidden: definition.hidden ?? false,
    serves: definition.serves,
    configuration: definition.configuration ?? [],
    reads: definition.reads ?? ({} as R),
    writes: definition.writes ?? ({} as W),
    amends: definition.amends ?? {},
    removes: definition.removes ?? [],
    connect: definition.connect,
    inapplicable: definition.inapplicable ?? (() => undefined),
    keyAlgorithm: definition.keyAlgorithm,
    demands: async (config: C) => (await definition.demands?.(config)) ?? {},
    conditions: async (config: C) => (await definition.conditions?.(config)) ?? [],
  };
}

function erasedRender<C, R, W>(
  render: (context: RenderContext<C, R, W>) => Awaitable<Rendered<W>>,
  phase: string,
): (state: ErasedState<C>) => Promise<Draft> {
  return async (state) =>
    draftOf(
      await render({
        config: state.config,
        inputs: state.inputs as Values<R>,
        existing: state.outputs as RenderContext<C, R, W>['existing'],
        now: state.now,
        outputs: (values) => rendered({ kind: 'values', values: values as Readonly<Record<string, unknown>> }),
        issue: (request, complete) => rendered({ kind: 'request', request, complete }),
      }),
      phase,
    );
}
