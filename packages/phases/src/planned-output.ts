import type { Location } from './artifact.ts';
import { excessMode } from './artifact-findings.ts';
import { modeOf, octal } from './artifact-mode.ts';
import type { OutputAction, OutputPlan } from './evaluation.ts';
import { fieldManager } from './field-manager.ts';
import { objectTexts } from './object-texts.ts';
import type { FileStatus } from './ports.ts';
import type { Loaded, World } from './world.ts';

/** What is to happen to one output of a phase. */
export interface PlannedOutput {
  readonly artifact: string;
  readonly location: string;
  readonly kind: Location['kind'];
  /** Beside what a run does: `unknown` it cannot be looked at. */
  readonly action: OutputAction | 'unknown';
  readonly secret: boolean;
  /** Of a file or directory that is written: its permission bits afterwards, `0600`, where the umask takes nothing off. */
  readonly mode?: string;
  /** Of a file or directory that is written, `root:root` or numbers. */
  readonly owner?: string;
  /** Why it is unknown. */
  readonly reason?: string;
  /** Text as it is now; absent if it is not there, is kept, is only removed, or is secret. */
  readonly before?: string;
  /** Text as it will be; absent if it is not known, as only the run makes it, and for secrets. */
  readonly after?: string;
}

const writing: ReadonlySet<OutputAction> = new Set(['created', 'replaced', 'extended', 'pending']);

/** A row of an evaluation as the plan shows it: without values, and without any byte of a secret. */
export function plannedOutput(output: OutputPlan, world: World): PlannedOutput {
  const { artifact, location, action, existing } = output;
  const { kind } = world.locate(artifact);
  const secret = artifact.secret === true;
  const row = { artifact: artifact.id, location, kind, action, secret };
  if (existing.state === 'unknown') return { ...row, action: 'unknown', reason: existing.reason };
  if (!writing.has(action)) return row;
  return { ...row, ...permissionsOf(output, kind), ...(secret ? {} : textsOf(output, kind)) };
}

function permissionsOf(output: OutputPlan, kind: Location['kind']) {
  if (kind !== 'file' && kind !== 'directory') return {};
  const { uid = 0, gid = 0 } = statusOf(output.existing) ?? {};
  return { mode: modeAfter(output, kind), owner: uid === 0 && gid === 0 ? 'root:root' : `${uid}:${gid}` };
}

/** Permission bits of a file or directory after it was written, `0600`: what is there keeps those that it may have. */
export function modeAfter(
  { artifact, existing }: Pick<OutputPlan, 'artifact' | 'existing'>,
  kind: Location['kind'],
): string {
  const status = statusOf(existing);
  return octal(status === undefined ? modeOf(artifact, kind) : status.mode & ~excessMode(artifact, existing));
}

function statusOf(existing: Loaded): FileStatus | undefined {
  return existing.state === 'present' || existing.state === 'malformed' ? existing.status : undefined;
}

function textsOf({ artifact, existing, value }: OutputPlan, kind: Location['kind']) {
  const bytes = existing.state === 'present' || existing.state === 'malformed' ? existing.bytes : undefined;
  const before = bytes === undefined ? undefined : decoded(bytes);
  const after = value === undefined ? undefined : decoded(artifact.format.serialize(value));
  if (kind === 'file')
    return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
  if (kind !== 'object') return {};
  return objectTexts(parsed(before), parsed(after), { manager: fieldManager });
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function parsed(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}
