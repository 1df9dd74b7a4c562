import { isGroundplaneError, messageOf } from '@groundplane/errors';
import { type Artifact, formatLocation, isOptional, type Layout, type Location, type Read } from './artifact.ts';
import { maxModeOf } from './artifact-findings.ts';
import { modeOf } from './artifact-mode.ts';
import { isBarred, isSilent, unavailability } from './capabilities.ts';
import { creatorsOf } from './declarations.ts';
import { phasesError } from './error-codes.ts';
import type { Connect } from './phase.ts';
import { phaseCommand } from './phase-command.ts';
import type { Cluster, ClusterObject, FileStatus, Files, Leftover, SuppliedPorts } from './ports.ts';
import type { Workflow } from './workflow.ts';

/** An artifact as it is now. */
export type Loaded =
  | { readonly state: 'absent' }
  /** `bytes`: of a file or an object, as they are there; `foreignOwner`: user id of its owner if that is neither root nor who looks. */
  | {
      readonly state: 'present';
      readonly value: unknown;
      readonly status?: FileStatus;
      readonly bytes?: Uint8Array;
      readonly foreignOwner?: number;
    }
  | {
      readonly state: 'malformed';
      readonly reason: string;
      readonly status?: FileStatus;
      readonly bytes?: Uint8Array;
      readonly foreignOwner?: number;
    }
  /** It cannot be told: no way to look at it, which is `barred`, or no answer; `silent` where no API server said anything at all. */
  | {
      readonly state: 'unknown';
      readonly reason: string;
      readonly hint?: string;
      readonly barred?: true;
      readonly silent?: true;
    };

/** What came of storing. */
export interface Stored {
  /** What was stored; absent where there are no bytes. */
  readonly bytes?: Uint8Array;
  /** What is there since then, where the one who stored it says so. */
  readonly answer?: Loaded;
}

/** Reads and writes artifacts through the ports: the only place that knows how a location becomes bytes. */
export interface World {
  readonly layout: Layout;
  readonly ports: SuppliedPorts;
  locate(artifact: Artifact<unknown>): Location;
  /** True if nothing is amiss when it is not there. */
  mayBeAbsent(read: Read): boolean;
  /** Command of the phase that creates it, `init phase certs ca`; `undefined` if none does or the phase has no command. */
  makerOf(artifact: Artifact<unknown>): string | undefined;
  load(artifact: Artifact<unknown>, connect: Connect | undefined): Promise<Loaded>;
  store(artifact: Artifact<unknown>, value: unknown, connect: Connect | undefined): Promise<Stored>;
  /** @returns what of it could not be removed */
  remove(artifact: Artifact<unknown>, connect: Connect | undefined): Promise<readonly Leftover[]>;
  cluster(connect: Connect): Promise<Cluster>;
}

export interface WorldOptions {
  /** Milliseconds that API calls may go on retrying; overrides the workflow's own. */
  readonly apiTimeoutMs?: number;
}

export function createWorld<C>(
  workflow: Workflow<C>,
  config: C,
  ports: SuppliedPorts,
  options: WorldOptions = {},
): World {
  const layout = workflow.layout(config);
  const connections = new Map<string, Promise<Cluster>>();
  const timeoutMs = options.apiTimeoutMs ?? workflow.apiTimeoutMs?.(config) ?? 60_000;
  const locate = (artifact: Artifact<unknown>) => artifact.where(layout);
  const made = creatorsOf(workflow.phases.filter((phase) => phase.inapplicable(config) === undefined));

  const cluster = async (connect: Connect): Promise<Cluster> => {
    const location = locate(connect.kubeconfig as Artifact<unknown>);
    if (location.kind !== 'file') throw new TypeError(`Cannot connect as '${connect.kubeconfig.id}' is not a file`);
    const content = await ports.host.files.read(location.path);
    if (content === undefined) {
      throw phasesError(
        'PHASES_UNREADABLE',
        `Cannot connect to the cluster as the kubeconfig does not exist: ${location.path}`,
      );
    }
    const kubeconfig = new TextDecoder().decode(content.bytes);
    const server = connect.endpoint === 'local' ? workflow.localEndpoint?.(config) : undefined;
    const key = `${server ?? ''}\n${kubeconfig}`;
    const known = connections.get(key);
    if (known !== undefined) return known;
    const made = ports.clusters.connect({ kubeconfig, timeoutMs, ...(server === undefined ? {} : { server }) });
    connections.set(key, made);
    // A failure is not remembered: the next phase tries again.
    made.catch(() => connections.delete(key));
    return made;
  };
  const clusterOf = (artifact: Artifact<unknown>, connect: Connect | undefined): Promise<Cluster> => {
    if (connect === undefined)
      throw new TypeError(`Cannot reach '${artifact.id}' as its phase does not say how to connect`);
    return cluster(connect);
  };

  return {
    layout,
    ports,
    locate,
    mayBeAbsent: (read) => isOptional(read) && !(read.whereApplicable === true && made.has(read.optional.id)),
    makerOf(artifact) {
      const maker = workflow.phases.find(({ name, hidden }) => !hidden && made.get(artifact.id) === name);
      return maker && phaseCommand(workflow.name, maker.name);
    },
    cluster,
    async load(artifact, connect) {
      const location = locate(artifact);
      try {
        switch (location.kind) {
          case 'state':
          case 'objects':
            return { state: 'absent' };
          case 'directory': {
            const status = await ports.host.files.status(location.path);
            if (status === undefined) return await absentDirectory(location.path, ports.host.files);
            if (status.kind === 'directory') return { state: 'present', value: undefined, status };
            const hint = `Move it away: ${location.path}`;
            return { state: 'unknown', reason: `it is a ${status.kind} and no directory`, hint };
          }
          case 'object': {
            const object = await (await clusterOf(artifact, connect)).get(location.reference);
            return object === undefined
              ? { state: 'absent' }
              : parsed(artifact, new TextEncoder().encode(JSON.stringify(object)));
          }
          case 'list': {
            const objects = await (await clusterOf(artifact, connect)).list(location.query);
            return parsed(artifact, new TextEncoder().encode(JSON.stringify(objects)));
          }
          case 'file': {
            const content = await ports.host.files.read(location.path);
            if (content === undefined) return { state: 'absent' };
            const { bytes, ...status } = content;
            const isForeign = status.uid !== 0 && status.uid !== ports.host.facts.uid();
            return { ...parsed(artifact, bytes, status), ...(isForeign ? { foreignOwner: status.uid } : {}) };
          }
        }
      } catch (error) {
        const hint = isGroundplaneError(error) ? error.hint : undefined;
        const barred = isBarred(error) ? { barred: true as const } : {};
        const silent = isSilent(error) ? { silent: true as const } : {};
        const reason = unavailability(error);
        return { state: 'unknown', reason, ...(hint === undefined ? {} : { hint }), ...barred, ...silent };
      }
    },
    async store(artifact, value, connect) {
      const location = locate(artifact);
      if (location.kind === 'state' || location.kind === 'objects' || location.kind === 'list') return {};
      if (location.kind === 'directory') {
        await ports.host.files.makeDirectory(location.path, { mode: modeOf(artifact, location.kind) });
        return {};
      }
      const bytes = artifact.format.serialize(value);
      if (location.kind === 'object') {
        const object = JSON.parse(new TextDecoder().decode(bytes)) as ClusterObject;
        const stored = await (await clusterOf(artifact, connect)).apply(object);
        return { bytes, answer: parsed(artifact, new TextEncoder().encode(JSON.stringify(stored))) };
      }
      const maxMode = maxModeOf(artifact);
      await ports.host.files.write(location.path, bytes, {
        mode: modeOf(artifact, location.kind),
        ...(maxMode === undefined ? {} : { maxMode }),
        ...(artifact.directoryMode === undefined ? {} : { directoryMode: artifact.directoryMode }),
      });
      return { bytes };
    },
    async remove(artifact, connect) {
      const location = locate(artifact);
      const { files } = ports.host;
      if (location.kind === 'directory' && artifact.emptied === true) return files.empty(location.path);
      if (location.kind === 'directory') await files.removeDirectory(location.path);
      if (location.kind === 'file') await files.remove(location.path);
      if (location.kind === 'object') await (await clusterOf(artifact, connect)).delete(location.reference);
      return [];
    },
  };
}

/** No directory is made where a link leads nowhere. */
async function absentDirectory(path: string, files: Files): Promise<Loaded> {
  const itself = await files.status(path, { followLinks: false });
  if (itself === undefined) return { state: 'absent' };
  return { state: 'unknown', reason: 'it is a symbolic link that leads nowhere', hint: `Move it away: ${path}` };
}

function parsed(artifact: Artifact<unknown>, bytes: Uint8Array, status?: FileStatus): Loaded {
  const where = { ...(status === undefined ? {} : { status }), bytes };
  try {
    return { state: 'present', value: artifact.format.parse(bytes), ...where };
  } catch (error) {
    // The message of a foreign parser may quote what it read.
    const quotes = artifact.secret === true && !isGroundplaneError(error);
    return { state: 'malformed', reason: quotes ? 'it does not parse' : messageOf(error), ...where };
  }
}

/** How an artifact is called in messages: its place, which people can look at. */
export function placeOf(world: World, artifact: Artifact<unknown>): string {
  return formatLocation(world.locate(artifact));
}
