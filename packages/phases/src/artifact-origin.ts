import { type Artifact, formatLocation, type Location } from './artifact.ts';
import { fieldManager } from './field-manager.ts';
import { digestOf, type JournalEntry, type ReadJournal } from './journal.ts';
import type { Loaded } from './world.ts';

/**
 * Who made what is there: `ours` the journal says so, and the bytes are those · `changed` it was ours, and somebody has changed it
 * since · `others` no entry of the journal accounts for it · `unknown` there is no journal, or none that goes so far back.
 */
export type Origin = 'ours' | 'changed' | 'others' | 'unknown';

export interface ArtifactOrigin {
  readonly origin: Origin;
  /** Of an object: who manages a part of it, as the API server keeps it, sorted. */
  readonly managers?: readonly string[];
  /** The last that the journal says about it. */
  readonly entry?: Pick<JournalEntry, 'time' | 'actor' | 'user' | 'workflow' | 'phase' | 'action'>;
}

/** Programs of Kubernetes, which fill in parts of the objects of others: their status, their signatures, their defaults. */
const systemManagers = /^(?:kube-(?:apiserver|controller-manager|scheduler)|kubelet|cloud-controller-manager)$/;

/**
 * Says who made an artifact that is there: of objects the API server tells, of files the journal.
 *
 * @param journal undefined if there is none that can be read
 */
export async function originOf(
  {
    artifact,
    location,
    loaded,
  }: { readonly artifact: Artifact<unknown>; readonly location: Location; readonly loaded: Loaded },
  journal: ReadJournal | undefined,
): Promise<ArtifactOrigin | undefined> {
  // What is only observed is made by nobody of us.
  if (artifact.policy === 'observe' || (loaded.state !== 'present' && loaded.state !== 'malformed')) return undefined;
  const place = formatLocation(location);
  const last = journal?.entries.findLast((entry) => entry.location === place);
  const entry = last === undefined ? {} : { entry: known(last) };
  if (location.kind === 'object') return { ...(managedBy(loaded) ?? { origin: 'unknown' }), ...entry };
  if (journal === undefined) return { origin: 'unknown' };
  if (last === undefined) return { origin: isBefore(loaded, journal) ? 'unknown' : 'others' };
  if (last.action === 'removed') return { origin: 'others', ...entry };
  if (last.digest === undefined || loaded.bytes === undefined) return { origin: 'ours', ...entry };
  return { origin: (await digestOf(loaded.bytes)) === last.digest ? 'ours' : 'changed', ...entry };
}

function known({ time, actor, user, workflow, phase, action }: JournalEntry): NonNullable<ArtifactOrigin['entry']> {
  return { time, actor, ...(user === undefined ? {} : { user }), workflow, phase, action };
}

/** Of a journal of which a part is gone, that part may have been about what is older than the rest. */
function isBefore(loaded: Loaded, { entries, isCut }: ReadJournal): boolean {
  const [first] = entries;
  if (!isCut) return false;
  const modifiedMs = loaded.state === 'present' || loaded.state === 'malformed' ? loaded.status?.modifiedMs : undefined;
  return first === undefined || modifiedMs === undefined || modifiedMs < Date.parse(first.time);
}

interface ManagedField {
  readonly manager?: string;
  readonly subresource?: string;
}

function managedBy(loaded: Loaded): { readonly origin: Origin; readonly managers: readonly string[] } | undefined {
  const fields = loaded.state === 'present' ? managedFields(loaded.value) : undefined;
  if (fields === undefined) return undefined;
  const all = fields.flatMap(({ manager }) => manager ?? []);
  // What is written to a subresource is no part of what was asked for.
  const owners = new Set(fields.filter(({ subresource }) => !subresource).flatMap(({ manager }) => manager ?? []));
  const others = [...owners].filter((manager) => manager !== fieldManager && !systemManagers.test(manager));
  const managers = [...new Set(all)].toSorted();
  if (!owners.has(fieldManager)) return { origin: 'others', managers };
  return { origin: others.length === 0 ? 'ours' : 'changed', managers };
}

function managedFields(value: unknown): readonly ManagedField[] | undefined {
  const { metadata } = (value ?? {}) as { readonly metadata?: { readonly managedFields?: unknown } };
  return Array.isArray(metadata?.managedFields) ? metadata.managedFields : undefined;
}
