import { requireSelection, requireTypes, type Wanted, wanted } from '@groundplane/phases';
import type { BootstrapOptions, JoinPreparation, ResetPreparation } from './create-bootstrap.ts';
import type { RunOptions } from './prepared-workflow.ts';

/** One document as a value, several, or text. */
const configuration: Wanted = {
  name: 'a text, a document or a list of documents',
  isMet: (value) => typeof value === 'string' || [value].flat().every((document) => wanted.object.isMet(document)),
};

const ports = ['host', 'clusters', 'clock', 'entropy'] as const;

/** @throws TypeError for what callers without TypeScript may have got wrong */
export function requireOptions(options: BootstrapOptions): void {
  const call = 'bootstrap a machine';
  requireTypes({ call }, options, { actor: wanted.text, journal: wanted.text });
  requireTypes({ call, at: 'ports' }, options.ports, { signer: wanted.object, fetch: wanted.function });
  for (const port of ports) requireTypes({ call, at: `ports.${port}` }, options.ports[port] as object, {});
  const { runtime } = options.ports;
  if (typeof runtime !== 'function') requireTypes({ call, at: 'ports.runtime' }, runtime as object, {});
}

/** @throws TypeError for what callers without TypeScript may have got wrong */
export function requirePhaseOptions(call: string, options: RunOptions): void {
  requireTypes<RunOptions>({ call }, options, { signal: wanted.signal, report: wanted.function });
  requireSelection(call, options.selection);
}

/** @throws TypeError for what callers without TypeScript may have got wrong */
export function requirePreparation(workflow: string, preparation: JoinPreparation | ResetPreparation): void {
  requireTypes<Partial<JoinPreparation & ResetPreparation>>({ call: workflow }, preparation, {
    configuration,
    flags: wanted.object,
    workingDirectory: wanted.text,
    signal: wanted.signal,
    endpoint: wanted.text,
    progress: wanted.function,
    confirmed: wanted.flag,
  });
  requireSelection(workflow, preparation.selection);
}
