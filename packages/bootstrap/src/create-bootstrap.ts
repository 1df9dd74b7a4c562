import type { FlagValues, GroundplaneConfiguration } from '@groundplane/config';
import type { HttpsGet } from '@groundplane/discovery';
import { isGroundplaneError, messageOf } from '@groundplane/errors';
import {
  isBarred,
  isStopped,
  lookUntilStopped,
  reportingTo,
  type Selection,
  type SuppliedPorts,
  selectPhases,
  signalOf,
  type Workflow,
} from '@groundplane/phases';
import { type BootstrapPorts, suppliedPorts } from './bootstrap-ports.ts';
import { bootstrapError } from './error-codes.ts';
import type { InitContext } from './init-context.ts';
import { initWorkflow } from './init-workflow.ts';
import type { JoinContext } from './join-context.ts';
import { joinWorkflow } from './join-workflow.ts';
import { type Preparation, type PreparedWorkflow, preparedWorkflow } from './prepared-workflow.ts';
import { requireOptions, requirePreparation } from './require-preparation.ts';
import type { ResetContext } from './reset-context.ts';
import { resetWorkflow } from './reset-workflow.ts';
import { resolveInit } from './resolve-init.ts';
import { resolveJoin } from './resolve-join.ts';
import { resolveReset } from './resolve-reset.ts';
import { selectedCommand } from './selected-command.ts';

/** One document of a configuration, as a value: `{ apiVersion: 'kubeadm.k8s.io/v1beta4', kind: 'ClusterConfiguration', … }`. */
export interface ConfigurationDocument {
  readonly apiVersion: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}

export interface BootstrapOptions {
  readonly ports: BootstrapPorts;
  /** Who runs the phases, for the journal: `my-provisioner 1.0`. */
  readonly actor?: string;
  /** Path of the journal on the node, unless a GroundplaneConfiguration names another or wants none. @default none is kept */
  readonly journal?: string;
}

export interface InitPreparation {
  /** What kubeadm takes in the file of `--config`: YAML of one or several documents, or the documents as values. @default kubeadm's defaults */
  readonly configuration?: string | ConfigurationDocument | readonly ConfigurationDocument[] | undefined;
  /** Flags of kubeadm by their name without dashes, `{ 'upload-certs': true }`. Beside a configuration only those that kubeadm takes beside one. */
  readonly flags?: FlagValues | undefined;
  /** @default all phases */
  readonly selection?: Selection | undefined;
  /** Absolute path of the folder on the node from which relative paths of the configuration count. @default '/' */
  readonly workingDirectory?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface JoinPreparation extends InitPreparation {
  /** `host:port` of an API server, where the configuration does not name one. */
  readonly endpoint?: string | undefined;
  /** Told what is being waited for meanwhile, one line each time. */
  readonly progress?: ((message: string) => void) | undefined;
}

export interface ResetPreparation extends Omit<InitPreparation, 'workingDirectory'> {
  /** True if whoever owns the node agrees that what init and join made goes; without it the phase `preflight` refuses. */
  readonly confirmed?: boolean | undefined;
}

/** The workflows on one machine. */
export interface Bootstrap {
  /** Makes the first control-plane node of a cluster. */
  init(request?: InitPreparation): Promise<PreparedWorkflow<InitContext>>;
  /** Makes a worker of a cluster. */
  join(request: JoinPreparation): Promise<PreparedWorkflow<JoinContext>>;
  /** Undoes the two. */
  reset(request?: ResetPreparation): Promise<PreparedWorkflow<ResetContext>>;
}

/**
 * Bootstraps a machine in-process. Each method reads the configuration and asks the machine, and for `join` the cluster, what it leaves
 * open; nothing is written before `run` of what it returns. Nothing is kept between calls, so that several machines can be worked on
 * at once; two runs on one machine are for the caller to keep apart (`acquireLock` of `@groundplane/host`).
 *
 * Methods throw a GroundplaneError of kind usage with all problems of the configuration as findings, BOOTSTRAP_FETCH_MISSING, PHASES_UNKNOWN_PHASE for a
 * selection, BOOTSTRAP_ABORTED if the signal aborted, BOOTSTRAP_EXTERNAL_CA_INCOMPLETE with its findings where the key of a CA is not on the
 * node and not all that it signs is in order, a TypeError for arguments of other types, and what `resolveInit`, `resolveJoin` and `resolveReset` name.
 */
export function createBootstrap(options: BootstrapOptions): Bootstrap {
  requireOptions(options);
  const { ports, actor = '@groundplane/bootstrap', journal } = options;
  /** What all three have in common; `criSocket` is known once the configuration is resolved. */
  async function prepare<C extends HasSettings>(
    { workflow, criSocket, resolve }: PreparedKind<C>,
    { configuration, flags = {}, selection, signal }: InitPreparation,
  ): Promise<PreparedWorkflow<C>> {
    selectPhases(workflow, selection);
    let socket = '';
    const supplied = suppliedPorts(ports, () => socket);
    const common = {
      configText: configurationText(workflow.name, configuration),
      flags,
      command: selectedCommand(workflow.name, selection),
    };
    const attempt = (onlyPlanned: boolean) =>
      notAborted(workflow.name, { ports: supplied, signal: signalOf({ signal }) }, (looking) =>
        resolve({ ...common, ...(onlyPlanned ? { onlyPlanned } : {}), ports: looking }),
      );
    let obstacle: { readonly thrown: unknown } | undefined;
    const resolved = await attempt(false).catch(async (thrown: unknown) => {
      if (!isAgainstRuns(thrown)) throw thrown;
      obstacle = { thrown };
      return attempt(true);
    });
    socket = criSocket(resolved.context);
    const settings = resolved.context.groundplane?.journal;
    const place = settings?.disabled === true ? undefined : (settings?.path ?? journal);
    const hindered = obstacle === undefined ? {} : { obstacle };
    return preparedWorkflow({ workflow, resolved, ...hindered, ports: supplied, selection, actor, journal: place });
  }

  return {
    init: async (request = {}) => {
      requirePreparation('init', request);
      return prepare(
        {
          workflow: initWorkflow,
          criSocket: ({ init }) => init.nodeRegistration.criSocket,
          resolve: (common) => resolveInit({ ...common, ...folderOf(request) }),
        },
        request,
      );
    },
    join: async (request) => {
      requirePreparation('join', request);
      return prepare(
        {
          workflow: joinWorkflow,
          criSocket: ({ join }) => join.nodeRegistration.criSocket,
          resolve: (common) => {
            const { endpoint, signal } = request;
            const fetch = fetchOf(ports);
            const progress = progressTo(request.progress);
            return resolveJoin({ ...common, ...folderOf(request), endpoint, progress, signal, fetch });
          },
        },
        request,
      );
    },
    reset: async (request = {}) => {
      requirePreparation('reset', request);
      return prepare(
        {
          workflow: resetWorkflow,
          criSocket: ({ reset }) => reset.criSocket,
          resolve: async (common) => {
            const resolved = await resolveReset(common);
            const { context, planContext } = resolved;
            if (!request.confirmed) return resolved;
            return {
              ...resolved,
              context: { ...context, confirmed: true },
              ...(planContext === undefined ? {} : { planContext: { ...planContext, confirmed: true } }),
            };
          },
        },
        request,
      );
    },
  };
}

/** What this user has no right to look at, or to do, keeps nobody from planning. */
function isAgainstRuns(thrown: unknown): boolean {
  return isBarred(thrown) || (isGroundplaneError(thrown) && thrown.code === 'BOOTSTRAP_PREFLIGHT_FAILED');
}

interface CommonRequest {
  readonly configText: string | undefined;
  readonly flags: FlagValues;
  readonly ports: Preparation<never>['ports'];
  readonly command: string;
  readonly onlyPlanned?: true;
}

/** Our own settings are part of every context. */
interface HasSettings {
  readonly groundplane?: GroundplaneConfiguration;
}

interface PreparedKind<C> {
  readonly workflow: Workflow<C>;
  readonly criSocket: (context: C) => string;
  readonly resolve: (common: CommonRequest) => Promise<Preparation<C>['resolved']>;
}

/** It may be a method, which needs its object. */
function fetchOf(ports: BootstrapPorts): HttpsGet {
  if (ports.fetch !== undefined) return ports.fetch.bind(ports);
  throw bootstrapError(
    'BOOTSTRAP_FETCH_MISSING',
    'Cannot join as the ports have nothing to ask the cluster with: fetch',
    {
      hint: 'Give fetch: httpsGet of @groundplane/host, or all ports of a Linux machine: linuxPorts() of @groundplane/linux',
    },
  );
}

function folderOf({ workingDirectory }: InitPreparation) {
  return workingDirectory === undefined ? {} : { workingDirectory };
}

/** A document in JSON is one in YAML. */
function configurationText(workflow: string, configuration: InitPreparation['configuration']): string | undefined {
  if (configuration === undefined || typeof configuration === 'string') return configuration;
  const documents = [configuration].flat();
  try {
    return documents.map((document) => `${JSON.stringify(document)}\n`).join('---\n');
  } catch (cause) {
    throw new TypeError(`Cannot ${workflow} as a document of the configuration is no JSON: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** What a listener throws ends the preparation as what that of a run throws ends the run. */
function progressTo(listener: JoinPreparation['progress']): JoinPreparation['progress'] {
  if (listener === undefined) return undefined;
  const { report } = reportingTo((event) => (event.type === 'progress' ? listener(event.message) : undefined));
  return (message) => report({ type: 'progress', phase: 'join', message });
}

/** What a signal throws is whatever its owner gave it; callers can rely on an error of ours, as soon as it aborts. */
async function notAborted<T>(
  workflow: string,
  looking: { readonly ports: SuppliedPorts; readonly signal: AbortSignal },
  action: (ports: SuppliedPorts) => Promise<T>,
): Promise<T> {
  const { signal } = looking;
  try {
    return await lookUntilStopped(`prepare ${workflow}`, looking, action);
  } catch (error) {
    if (!signal.aborted || !isStopped(error)) throw error;
    const { reason: cause } = signal;
    const told = `Cannot prepare ${workflow} as it was told to stop, nothing was changed: ${messageOf(cause)}`;
    throw bootstrapError('BOOTSTRAP_ABORTED', told, { cause });
  }
}
