import { errorFactory } from '@groundplane/errors';

/** Why the engine could not go on. */
export const phasesErrorCodes = {
  PHASES_WORKFLOW_INVALID: { kind: 'internal', description: 'A workflow contradicts itself; found when it is loaded' },
  PHASES_UNKNOWN_PHASE: { kind: 'usage', description: 'A selection names a phase that the workflow does not have' },
  PHASES_CONFLICT: { kind: 'conflict', description: 'What exists contradicts the request; nothing was written' },
  PHASES_EXTERNAL: {
    kind: 'conflict',
    description: 'A certificate is missing that only an external CA can issue; nothing was written',
  },
  PHASES_UNDECLARED: { kind: 'internal', description: 'A phase reached for something that it does not declare' },
  PHASES_WAIT_TIMEOUT: { kind: 'timeout', description: 'A wait ended without success' },
  PHASES_UNREADABLE: { kind: 'unavailable', description: 'An artifact could not be read' },
  PHASES_VERIFY_FAILED: { kind: 'unavailable', description: 'A phase ran, but what it left does not verify' },
  PHASES_REMOVAL_INCOMPLETE: { kind: 'unavailable', description: 'Not all that was to be removed could be removed' },
  PHASES_JOURNAL_FOREIGN: {
    kind: 'conflict',
    description: 'A file at the place of the journal is none; it is not written to, and the run goes on without',
  },
  PHASES_SIGNER_ANSWER: {
    kind: 'unavailable',
    description: 'The signer gave nothing that can be used; nothing of the phase was written',
  },
  PHASES_ABORTED: { kind: 'unavailable', description: 'The run was told to stop' },
  PHASES_INTERNAL: { kind: 'internal', description: 'A phase or a port failed in a way that nobody foresaw' },
} as const;

export const phasesError = errorFactory(phasesErrorCodes);

/** Codes of the findings that the engine itself makes. */
export const engineFindings = {
  missing: 'PHASES_ARTIFACT_MISSING',
  malformed: 'PHASES_ARTIFACT_MALFORMED',
  unreadable: 'PHASES_ARTIFACT_UNREADABLE',
  exposed: 'PHASES_SECRET_EXPOSED',
  mode: 'PHASES_MODE_TOO_OPEN',
  owner: 'PHASES_OWNER_FOREIGN',
  stranded: 'PHASES_OUTPUT_WITHOUT_INPUT',
  external: 'PHASES_EXTERNAL_REQUEST',
  render: 'PHASES_RENDER_REFUSED',
  leftover: 'PHASES_LEFTOVER',
  journal: 'PHASES_JOURNAL_UNWRITABLE',
} as const;
